// Names on the wire that Argo CD defines.
export const argoGroup = 'argoproj.io';
export const argoApiVersion = 'argoproj.io/v1alpha1';
export const inClusterServer = 'https://kubernetes.default.svc';
export const refreshAnnotation = 'argocd.argoproj.io/refresh';
export const trackingIdAnnotation = 'argocd.argoproj.io/tracking-id';
export const syncWaveAnnotation = 'argocd.argoproj.io/sync-wave';
export const syncOptionsAnnotation = 'argocd.argoproj.io/sync-options';
export const resourcesFinalizer = 'resources-finalizer.argocd.argoproj.io';
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Where the engine's own objects (Applications, AppProjects) live unless configured otherwise. */
export const defaultEngineNamespace = 'argocd';
/**
 * The item of an operation's `info` by which app-proxy tells the engine for whom it acts. Argo CD itself knows only the
 * account of the token; it keeps the item and shows it.
 */
export const initiatedByInfo = 'fairlead.io/initiated-by';
/** On an Application: `built-in` (default) or `program`, the `helm` and `kustomize` on the engine's PATH. */
export const renderWithAnnotation = 'fairlead.io/render-with';
