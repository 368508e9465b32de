/** What a new application begins with: the fields to fill in, and to follow Git by itself. */
export const newManifest = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ""
spec:
  project: default
  source:
    repoURL: ""
    targetRevision: main
    path: ""
  destination:
    server: https://kubernetes.default.svc
    namespace: ""
  syncPolicy:
    automated:
      prune: true
      selfHeal: true
    syncOptions:
      - CreateNamespace=true
`;
