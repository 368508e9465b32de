export { abortable, everyInterval, mapLimit, sleep, untilAborted } from './abort.ts';
export { type BackoffOptions, backoffDelay, retry } from './backoff.ts';
export { BoundedCache } from './bounded-cache.ts';
export { type Clock, FakeClock, systemClock, toKubeTime } from './clock.ts';
export { type Config, ConfigError, envName, flagName, readConfig, type Settings } from './config.ts';
export {
  assertNever,
  errorMessage,
  FairleadError,
  isAbortError,
  RetryableError,
  TerminalError,
  WaitingError,
} from './errors.ts';
export { ExecError, exec } from './exec.ts';
export { freePort, isPortFree } from './free-port.ts';
export { canonicalJson, contentHash, fnv1a, isSameJson, newId, type Random, randomToken, sha256Hex } from './ids.ts';
export { isAlive } from './is-alive.ts';
export { Lifecycle } from './lifecycle.ts';
export { listen } from './listen.ts';
export { createLogger, type Logger, silentLogger } from './log.ts';
export { LogFile, openLogFile } from './log-file.ts';
export { Counter, createRegistry, Gauge, Histogram, Registry } from './metrics.ts';
export { readAll, TooLargeError } from './read-all.ts';
export { defineRole, type Role, type RoleContext } from './role.ts';
export { anySignal, withDeadline } from './signals.ts';
export {
  compareVersions,
  parseConstraints,
  parseVersion,
  satisfies,
  type Version,
  versionText,
} from './version.ts';
