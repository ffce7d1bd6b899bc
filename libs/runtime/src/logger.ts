import { pino, type Logger } from 'pino';
import type { Settings } from './settings';

export { type Logger } from 'pino';

/** What waits for a full disk to have room again; more is lost. */
const MAX_WAITING_BYTES = 1_048_576;

/** JSON lines on standard error: error = someone must act, warn = degraded or healed, info = life cycle, debug = per message. */
export function createLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING_BYTES });
  // The catalog serves on when nobody can be told.
  destination.on('error', () => undefined);
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: loggedError },
    },
    destination,
  );
}

/** Drivers hang whole connections onto their errors: only these members are logged. */
function loggedError(error: Error): object {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, details } = error as { readonly code?: unknown; readonly details?: unknown };
  return { type, message, stack, code, details };
}
