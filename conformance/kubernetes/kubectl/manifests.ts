// Files that scenarios work with.

export const web = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: nginx:1.27
          ports: [{containerPort: 80}]
`;

export const service = `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{name: http, port: 80}]
`;

export const configMap = (data = 'a: "1"') => `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {tier: front}}
data:
  ${data}
`;

export const statefulSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: db, image: "postgres:17"}]
`;

export const daemonSet = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: agent, image: "agent:1"}]
`;

export const job = `apiVersion: batch/v1
kind: Job
metadata: {name: once}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: once, image: "busybox:1"}]
`;

export const cronJob = (schedule = '0 0 1 1 *') => `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "${schedule}"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers: [{name: nightly, image: "busybox:1"}]
`;

export const definition = (group: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget, shortNames: [gd], categories: [toys]}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
      additionalPrinterColumns:
        - {name: Size, type: integer, jsonPath: .spec.size}
        - {name: Colour, type: string, jsonPath: .spec.colour, priority: 1}
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [size]
              properties:
                size: {type: integer, minimum: 0, maximum: 10}
                colour: {type: string, enum: [red, green], default: red}
                parts: {type: array, items: {type: object, required: [name], properties: {name: {type: string}}}}
              x-kubernetes-validations:
                - {rule: "self.size < 9 || self.colour == 'red'", message: big ones are red}
            status: {type: object, properties: {size: {type: integer}}}
`;

export const gadget = (group: string, spec = 'size: 2') => `apiVersion: ${group}/v1
kind: Gadget
metadata: {name: one}
spec: {${spec}}
`;
