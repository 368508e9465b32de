// The sample: one small web application, deployed three times from three folders of one repository.
export const sampleRepository = 'demo/guestbook.git';
export const sampleEnvironments = ['dev', 'staging', 'prod'] as const;
type SampleEnvironment = (typeof sampleEnvironments)[number];

export const sampleApplicationName = (environment: SampleEnvironment): string => `guestbook-${environment}`;

const replicas: Record<SampleEnvironment, number> = { dev: 1, staging: 2, prod: 3 };
const image = 'gcr.io/google-samples/gb-frontend:v5';

/** Path in the repository → text. */
export function sampleFiles(): Record<string, string> {
  const files: Record<string, string> = {
    'README.md': `# Guestbook

The sample that comes with Fairlead. Each folder is one environment; each is deployed by the Application of the
same name (\`guestbook-dev\`, \`guestbook-staging\`, \`guestbook-prod\`). Change an image, commit, push, and watch.
`,
  };
  for (const environment of sampleEnvironments) {
    files[`${environment}/deployment.yaml`] = deployment(environment);
    files[`${environment}/service.yaml`] = service;
    files[`${environment}/settings.yaml`] = settings(environment);
  }
  return files;
}

const deployment = (environment: SampleEnvironment) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: guestbook-ui
spec:
  replicas: ${replicas[environment]}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      app: guestbook-ui
  template:
    metadata:
      labels:
        app: guestbook-ui
    spec:
      containers:
        - name: guestbook-ui
          image: ${image}
          ports:
            - containerPort: 80
          envFrom:
            - configMapRef:
                name: guestbook-settings
`;

const service = `apiVersion: v1
kind: Service
metadata:
  name: guestbook-ui
spec:
  selector:
    app: guestbook-ui
  ports:
    - port: 80
      targetPort: 80
`;

const settings = (environment: SampleEnvironment) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: guestbook-settings
data:
  GREETING: "Hello from ${environment}"
`;
