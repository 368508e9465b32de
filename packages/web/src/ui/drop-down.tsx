import type { ReactNode } from 'react';
import { Menu, MenuItem, type MenuItemProps, type MenuProps, MenuTrigger, Popover } from 'react-aria-components/Menu';

interface DropDownProps extends Omit<MenuProps<object>, 'className' | 'style' | 'children'> {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly header?: ReactNode;
  readonly children: ReactNode;
}

/** A button that opens a menu. */
export function DropDown({ label, trigger, header, children, ...menu }: DropDownProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover
        placement="bottom end"
        className="min-w-44 rounded-lg border border-line bg-surface p-1 text-sm shadow-lift"
      >
        {header ? <div className="mb-1 border-b border-line">{header}</div> : null}
        <Menu {...menu} aria-label={label} className="outline-none">
          {children}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

export function DropDownItem(props: Omit<MenuItemProps, 'className' | 'style'>) {
  return (
    <MenuItem
      {...props}
      className="flex h-8 cursor-default items-center gap-2 rounded-md px-2.5 outline-none data-[focused]:bg-surface-2 data-[selected]:font-semibold"
    />
  );
}
