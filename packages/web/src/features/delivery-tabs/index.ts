export { DeliveryTabs } from './delivery-tabs.tsx';
