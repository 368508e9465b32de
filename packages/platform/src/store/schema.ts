// The tables, as kysely sees them. Times are read as ISO text, bigints as numbers (all stay below 2^53).
import type {
  AccessDefault,
  AccessRule,
  AccessRules,
  ApplicationRow,
  AuditEntry,
  CommitReport,
  DeploymentPhase,
  GitRightsEnforced,
  HostedInstall,
  KeyScope,
  NotificationKind,
  RuntimePublicKey,
  UserRole,
} from '@fairlead/contracts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Time = ColumnType<string, string | Date, string | Date>;
type OptionalTime = ColumnType<string | null, string | Date | null | undefined, string | Date | null>;

interface AccountsTable {
  id: string;
  name: string;
  created_at: Time;
  access_default: Generated<AccessDefault>;
  /** Grows with every change of the default or of a rule. */
  access_version: Generated<number>;
  /** The runtime that speaks for the rules that are files. */
  rule_runtime_id: string | null;
  rule_source: JSONColumnType<RuleSource | null, string | null | undefined, string | null>;
  /** Null: rights do not follow Git. */
  git_rights: JSONColumnType<GitRightsRow | null, string | null | undefined, string | null>;
}

interface GitRightsRow {
  readonly enforce: GitRightsEnforced;
  readonly commit: string;
}

type RuleSource = NonNullable<AccessRules['source']>;

interface AccessRulesTable {
  id: string;
  account_id: string;
  name: string;
  effect: AccessRule['effect'];
  teams: JSONColumnType<AccessRule['teams'], string, string>;
  entity: AccessRule['entity'];
  actions: JSONColumnType<AccessRule['actions'], string, string>;
  attributes: JSONColumnType<AccessRule['attributes'], string, string>;
  created_at: Time;
  updated_at: Time;
  /** In the Shared Configuration Repository; null: the platform alone keeps it. */
  file: string | null;
  commit: string | null;
}

interface UsersTable {
  id: string;
  account_id: string;
  name: string;
  email: string | null;
  created_at: Time;
  kind: Generated<'person' | 'service'>;
  role: Generated<UserRole>;
  status: Generated<'invited' | 'active' | 'deactivated'>;
  /** Salted scrypt; null: signs in by link only. */
  password_hash: string | null;
}

interface TeamsTable {
  id: string;
  account_id: string;
  name: string;
  created_at: Time;
}

interface TeamMembersTable {
  team_id: string;
  user_id: string;
}

interface AuditHeadsTable {
  account_id: string;
  number: number;
  hash: string;
}

interface AuditTable {
  account_id: string;
  number: number;
  at: Time;
  actor_id: string;
  actor_name: string;
  action: string;
  entity_kind: string;
  entity: string;
  outcome: AuditEntry['outcome'];
  request_id: string;
  /** JSON text: it is hashed as it stands. */
  details: string;
  previous: string;
  hash: string;
}

/** Sessions, links and keys are kept as sha256 of the secret: a read of the table gives nobody access. */
interface SessionsTable {
  token_hash: string;
  user_id: string;
  created_at: Time;
  expires_at: Time;
  id: string;
  client: Generated<string>;
}

interface SignInLinksTable {
  code_hash: string;
  user_id: string;
  created_at: Time;
  expires_at: Time;
  used_at: OptionalTime;
}

interface ApiKeysTable {
  id: string;
  user_id: string;
  name: string;
  key_hash: string;
  /** The first letters, so that people can tell keys apart. */
  prefix: string;
  created_at: Time;
  revoked_at: OptionalTime;
  scopes: JSONColumnType<KeyScope[], string | undefined, string>;
  expires_at: OptionalTime;
  last_used_at: OptionalTime;
}

interface SigningKeysTable {
  id: string;
  private_jwk: JSONColumnType<RuntimePublicKey & { d: string }>;
  created_at: Time;
}

interface RuntimesTable {
  id: string;
  account_id: string;
  name: string;
  kind: 'hosted' | 'hybrid';
  connected: boolean;
  /** Null until it has registered. */
  public_key: JSONColumnType<RuntimePublicKey | null, string | null, string | null>;
  install_token_hash: string | null;
  install_token_expires_at: OptionalTime;
  /** The token may replace the key that is there. */
  rotating: Generated<boolean>;
  created_at: Time;
  last_heard_at: OptionalTime;
  /** Of a hosted one that was asked for: how far its installation is. */
  install: JSONColumnType<HostedInstall | null, string | null | undefined, string | null>;
  access_mode: Generated<'tunnel' | 'ingress' | 'mesh'>;
  /** Where the platform calls it. With the mode `tunnel`: the way that still holds until the tunnel is up. */
  access_url: string | null;
}

interface ReportedObjectsTable {
  account_id: string;
  runtime_id: string;
  kind: string;
  key: string;
  uid: string;
  epoch: number;
  sequence: number;
  hash: string;
  /** A deletion stays as a row, so that an older report cannot bring the object back. */
  deleted: boolean;
  observed_at: string;
  received_at: Time;
  payload: JSONColumnType<object | null, string | null, string | null>;
  /** Moment and hash of the newest version kept of it; see the room `past`. */
  version_at: OptionalTime;
  version_hash: string | null;
  /** Of what its deployments were read from: equal means nothing new for them. */
  deployments_hash: string | null;
}

/** An application as it was from `at` on, until the next version. Its parts are contents. */
interface ApplicationVersionsTable {
  account_id: string;
  runtime_id: string;
  key: string;
  at: Time;
  epoch: number;
  sequence: number;
  uid: string;
  health: string | null;
  sync: string | null;
  revision: string | null;
  phase: string | null;
  /** Content hashes; null when the application was deleted at this moment. */
  head: string | null;
  tree: string | null;
  resources: string | null;
}

interface DeploymentsTable {
  id: Generated<number>;
  account_id: string;
  runtime_id: string;
  key: string;
  uid: string;
  /** The engine's number of the entry in the application's history; only what succeeded has one. */
  history_id: number | null;
  revision: string;
  commit: JSONColumnType<CommitReport | null, string | null, string | null>;
  images_from: JSONColumnType<string[], string, string>;
  images_to: JSONColumnType<string[], string, string>;
  initiator: string | null;
  automated: boolean;
  phase: DeploymentPhase;
  message: string | null;
  started_at: Time;
  finished_at: OptionalTime;
}

/** What the list shows and sorts by; derived from reported_objects, rebuilt by reporting again. */
interface ApplicationsTable {
  account_id: string;
  runtime_id: string;
  namespace: string;
  name: string;
  project: string;
  health: string;
  sync: string;
  cluster: string;
  destination_namespace: string;
  /** 0 is worst; see ingest/projection. */
  attention: number;
  changed_at: Time;
  /** Since when health has been what it is. */
  health_since: Time;
  /** Lower-case text that `search` looks into. */
  search: string;
  row: JSONColumnType<StoredRow>;
  labels: JSONColumnType<Record<string, string>, string, string>;
  /** From the annotation `fairlead.io/product` or `codefresh.io/product`; '' for none. */
  product: string;
  repo: string;
  /** '' for what people deploy; else what the Application is for (`git-source`, `internal-config`, …). */
  entity: Generated<string>;
  /** Where its manifest lies, as `manifestsPlace` writes it. */
  manifests: Generated<string>;
}

/** A list row without what is joined in when it is read. */
export type StoredRow = Omit<ApplicationRow, 'id' | 'lastHeardAt' | 'changedAt'>;

interface ContentsTable {
  account_id: string;
  hash: string;
  /** JSON text and not jsonb: manifests may hold \u0000, which jsonb cannot, and they are only ever read whole. */
  body: string;
  created_at: Time;
  /** When a report last named it, a day too early at most: contents that nothing names any more are swept by it. */
  named_at: Time;
}

interface ChangesTable {
  id: Generated<number>;
  account_id: string;
  /** `access`: who may see what is different. */
  kind: 'application' | 'runtime' | 'cluster' | 'git-source' | 'access' | 'notification';
  runtime_id: string;
  /** `namespace/name` of an application, the name of a runtime. */
  key: string;
  at: Time;
  /** What access rules saw of the application before, where that is no longer so. */
  before: JSONColumnType<AttributesBefore | null, string | null | undefined, string | null>;
}

/** As columns of `applications`, but for the names, which do not change. */
export interface AttributesBefore {
  readonly project: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Absent in changes from before rights could follow Git. */
  readonly manifests?: string;
}

interface QuarantineTable {
  id: Generated<number>;
  account_id: string;
  runtime_id: string;
  reporter: string;
  key: string;
  reason: string;
  /** JSON text of what was sent, cut at 64 KiB. */
  object: string;
  at: Time;
}

interface NotificationsTable {
  id: Generated<number>;
  account_id: string;
  kind: NotificationKind;
  /** What it is about; news are told once until the opposite was told of the same subject. */
  subject: string;
  title: string;
  message: string | null;
  runtime_id: string | null;
  /** `namespace/name` of an application. */
  key: string | null;
  only_user: string | null;
  only_admins: boolean;
  at: Time;
}

interface GitTokenEndsTable {
  account_id: string;
  user_id: string;
  runtime_id: string;
  host: string;
  expires_at: Time | null;
  /** Rights that it lacks, for people. */
  problem: string | null;
}

interface NotificationReadsTable {
  user_id: string;
  notification_id: number;
}

interface WebhooksTable {
  id: string;
  account_id: string;
  name: string;
  url: string;
  kinds: JSONColumnType<NotificationKind[], string, string>;
  /** Sealed (auth/sealed-text), for the id. */
  secret: string;
  created_at: Time;
  dropped: Generated<number>;
  delivered_at: OptionalTime;
  failed_at: OptionalTime;
  problem: string | null;
}

interface WebhookDeliveriesTable {
  id: Generated<number>;
  webhook_id: string;
  notification_id: number;
  attempts: Generated<number>;
  next_at: Time;
}

export interface Database {
  accounts: AccountsTable;
  access_rules: AccessRulesTable;
  users: UsersTable;
  teams: TeamsTable;
  team_members: TeamMembersTable;
  audit_heads: AuditHeadsTable;
  audit: AuditTable;
  sessions: SessionsTable;
  sign_in_links: SignInLinksTable;
  api_keys: ApiKeysTable;
  signing_keys: SigningKeysTable;
  runtimes: RuntimesTable;
  reported_objects: ReportedObjectsTable;
  application_versions: ApplicationVersionsTable;
  deployments: DeploymentsTable;
  applications: ApplicationsTable;
  contents: ContentsTable;
  changes: ChangesTable;
  quarantine: QuarantineTable;
  git_token_ends: GitTokenEndsTable;
  notifications: NotificationsTable;
  notification_reads: NotificationReadsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
}
