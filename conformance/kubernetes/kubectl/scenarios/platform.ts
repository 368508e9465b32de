// The server itself: what it knows, who may do what, nodes, volumes, own kinds.
import { definition, gadget, web } from '../manifests.ts';
import { scenario, until } from '../scenario.ts';

const group = 'toys.example.com';

export const platform = [
  scenario(
    'k-discovery',
    {},
    'kubectl api-versions',
    'kubectl api-resources --sort-by=name',
    'kubectl api-resources --api-group=apps',
    'kubectl api-resources --namespaced=false -o name --sort-by=name',
    'kubectl api-resources --verbs=list,get --api-group=batch -o wide',
    'kubectl explain pods',
    'kubectl explain pod.spec.containers.ports',
    'kubectl explain deploy.spec.strategy --recursive',
    'kubectl explain deploy.spec.replicas',
    'kubectl explain cronjob --api-version=batch/v1',
    'kubectl explain deploy.spec.nothing',
    'kubectl explain nothing',
    'kubectl explain svc.spec.ports',
    'kubectl cluster-info',
    'kubectl version --client -o json | grep -c gitVersion',
    'kubectl config view --minify -o jsonpath="{.contexts[0].context.namespace}"',
  ),
  scenario(
    'k-access',
    {},
    'kubectl auth whoami -o jsonpath="{.status.userInfo.groups}"',
    'kubectl auth can-i create pods',
    'kubectl auth can-i "*" "*" --all-namespaces',
    'kubectl auth can-i create pods --as=eve',
    'kubectl auth can-i list pods --as=system:serviceaccount:k-access:default',
    'kubectl create role reader --verb=get,list,watch --resource=pods',
    'kubectl create rolebinding readers --role=reader --user=eve',
    'kubectl auth can-i list pods --as=eve',
    'kubectl auth can-i list pods --as=eve -n default',
    'kubectl auth can-i get pods/log --as=eve',
    'kubectl auth can-i list nothing --as=eve',
    'kubectl auth can-i --list --as=eve | grep pods',
    'kubectl get pods --as=eve',
    'kubectl get secrets --as=eve',
    'kubectl delete ns k-access --as=eve',
    'kubectl create token default | cut -d. -f2 | wc -l',
    'kubectl create token nobody',
    'kubectl create token default --duration=1m',
    'kubectl --token="$(kubectl create token default)" auth whoami -o jsonpath="{.status.userInfo.username} {.status.userInfo.groups}"',
    'kubectl --token=nobody get pods',
    'kubectl create role more --verb=get --resource=secrets --as=eve',
    'kubectl create role maker --verb=create,get --resource=roles,rolebindings',
    'kubectl create rolebinding makers --role=maker --user=mal',
    'kubectl create role more --verb=get --resource=secrets --as=mal',
    'kubectl create rolebinding self --clusterrole=cluster-admin --user=mal --as=mal',
    'kubectl create clusterrole k-access-agg --aggregation-rule=x=y',
    'kubectl auth reconcile -f - <<E\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: rec}\nrules: [{apiGroups: [""], resources: [pods], verbs: [get]}]\nE',
    'kubectl get clusterroles admin edit view cluster-admin -o name',
    'kubectl describe role reader',
    'kubectl describe rolebinding readers',
    'kubectl describe sa default',
    'kubectl delete clusterrole k-access-agg',
  ),
  scenario(
    'k-custom',
    {
      'crd.yaml': definition(group),
      'one.yaml': gadget(group),
      'big.yaml': gadget(group, 'size: 99'),
      'rule.yaml': gadget(group, 'size: 9, colour: green'),
      'enum.yaml': gadget(group, 'size: 1, colour: pink'),
      'unknown.yaml': gadget(group, 'size: 1, shape: round'),
      'invalid.yaml': definition('broken.example.com').replace('plural: gadgets', 'plural: widgets'),
    },
    'kubectl apply -f crd.yaml',
    `kubectl wait --for=condition=Established crd/gadgets.${group} --timeout=20s`,
    `kubectl get crd gadgets.${group} -o jsonpath="{.status.acceptedNames} {.status.storedVersions} {.status.conditions[*].type}"`,
    until(`kubectl api-resources --api-group=${group}`, /gadgets/),
    until('kubectl apply -f one.yaml', /gadget/),
    'kubectl get gadgets',
    'kubectl get gd -o wide',
    'kubectl get toys',
    'kubectl get gadget one -o jsonpath="{.spec}"',
    'kubectl apply -f big.yaml',
    'kubectl apply -f rule.yaml',
    'kubectl apply -f enum.yaml',
    'kubectl apply -f unknown.yaml',
    'kubectl apply -f unknown.yaml --validate=warn',
    'kubectl create -f one.yaml',
    'kubectl scale gadget one --replicas=4',
    'kubectl get gadget one -o jsonpath="{.spec.size} {.metadata.generation}"',
    'kubectl patch gadget one --type=merge -p \'{"spec":{"colour":"green"}}\'',
    'kubectl patch gadget one -p \'{"spec":{"colour":"green"}}\'',
    'kubectl patch gadget one --subresource=status --type=merge -p \'{"status":{"size":4}}\'',
    'kubectl get gadget one -o yaml --show-managed-fields',
    until('kubectl explain gadget.spec', /size/),
    'kubectl explain gadget --recursive',
    'kubectl describe gadget one',
    'kubectl apply --server-side -f one.yaml',
    'kubectl apply --server-side --force-conflicts -f one.yaml',
    'kubectl create -f invalid.yaml',
    'kubectl label gadget one a=b',
    'kubectl delete gadget one',
    `kubectl delete crd gadgets.${group}`,
    'kubectl get gadgets',
  ),
  scenario(
    'k-tables',
    {
      'all.yaml': `
apiVersion: v1
kind: PersistentVolume
metadata: {name: k-tables}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce, ReadOnlyMany], hostPath: {path: /x}, storageClassName: manual}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: c1}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}, storageClassName: none}
---
apiVersion: v1
kind: LimitRange
metadata: {name: l1}
spec: {limits: [{type: Container, default: {cpu: 100m}}]}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: q1}
spec: {hard: {pods: "3", limits.cpu: "2"}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: rc1}
spec: {replicas: 0, selector: {a: b}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "x:1"}]}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: n1}
spec: {podSelector: {matchLabels: {a: b}}}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: k-tables}
spec: {controller: example.com/x}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: k-tables}
provisioner: example.com/x
allowVolumeExpansion: true
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: l1}
spec: {holderIdentity: me}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: k-tables}
webhooks: []
---
apiVersion: v1
kind: Endpoints
metadata: {name: e1}
subsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 80}]}]
---
apiVersion: v1
kind: Event
metadata: {name: ev1}
involvedObject: {kind: Pod, name: p, namespace: k-tables}
reason: Tested
message: hello
type: Normal
---
apiVersion: v1
kind: PodTemplate
metadata: {name: t1}
template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "x:1"}]}}
`,
    },
    'kubectl apply -f all.yaml',
    until('kubectl get pv k-tables -o wide', /Available/),
    'kubectl get pvc -o wide',
    'kubectl get limits',
    until('kubectl get quota', /0\/3/),
    'kubectl get rc -o wide',
    'kubectl get netpol',
    'kubectl get ingressclass k-tables',
    'kubectl get sc k-tables',
    'kubectl get lease',
    'kubectl get validatingwebhookconfigurations k-tables',
    'kubectl get ep e1',
    'kubectl get events -o wide',
    'kubectl events',
    'kubectl get podtemplates',
    'kubectl get pvc c1 -o jsonpath="{.metadata.finalizers} {.spec}"',
    'kubectl get pv k-tables -o jsonpath="{.metadata.finalizers} {.spec}"',
    'kubectl describe limits l1',
    'kubectl describe netpol n1',
    'kubectl describe pvc c1',
    'kubectl delete -f all.yaml',
    'kubectl get pvc,pv',
  ),
  scenario(
    'k-nodes',
    {},
    'kubectl get nodes -o name',
    'kubectl cordon fairlead-node',
    'kubectl cordon fairlead-node',
    'kubectl get node fairlead-node -o jsonpath="{.spec.unschedulable}"',
    'kubectl uncordon fairlead-node',
    'kubectl taint node fairlead-node a=b:NoSchedule',
    'kubectl taint node fairlead-node a=c:NoSchedule',
    'kubectl taint node fairlead-node a=b:Nonsense',
    'kubectl get node fairlead-node -o jsonpath="{.spec.taints[?(@.key==\'a\')]}"',
    'kubectl taint node fairlead-node a-',
    'kubectl label node fairlead-node disk=ssd',
    'kubectl get nodes -l disk=ssd -o name',
    'kubectl label node fairlead-node disk-',
    'kubectl drain fairlead-node --dry-run=client --ignore-daemonsets --force --pod-selector=none=none',
  ),
  scenario(
    'k-namespaces',
    { 'web.yaml': web },
    'kubectl create ns k-namespaces-2',
    'kubectl get ns k-namespaces-2',
    'kubectl describe ns k-namespaces-2',
    'kubectl -n k-namespaces-2 create configmap a',
    'kubectl -n k-namespaces-2 get cm -o name',
    'kubectl -n k-namespaces-2 create deployment web --image=nginx',
    'kubectl delete ns k-namespaces-2',
    'kubectl get ns k-namespaces-2',
    'kubectl -n k-namespaces-2 get cm',
    'kubectl delete ns default',
    'kubectl delete ns kube-system',
    'kubectl get cm kube-root-ca.crt -o jsonpath="{.data}" | cut -c1-40',
    'kubectl get svc kubernetes -n default -o jsonpath="{.spec.ports[*].port} {.metadata.labels}"',
    'kubectl get pods -n nowhere',
    'kubectl get limitrange,quota',
  ),
  scenario(
    'k-descriptions',
    { 'web.yaml': web },
    'kubectl create configmap a --from-literal=x=y',
    'kubectl describe cm a',
    'kubectl create secret generic s --from-literal=x=y',
    'kubectl describe secret s',
    'kubectl create quota q --hard=pods=1',
    until('kubectl describe quota q', /pods +0/),
    'kubectl create service clusterip svc --tcp=80',
    'kubectl describe svc svc',
    'kubectl create pdb p --selector=a=b --max-unavailable=1',
    'kubectl describe pdb p',
    'kubectl describe pod nothing',
    'kubectl delete cm kube-root-ca.crt a --wait=false',
    'kubectl describe clusterrole view | head -3',
    'kubectl run pod1 --image=nginx:1.27',
    'kubectl run pod2 --image=nginx:1.27',
    'kubectl delete quota q',
  ),
];
