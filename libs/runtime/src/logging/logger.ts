import { pino, type Logger } from 'pino';
import { logLine } from './log-line';
import type { Settings } from '../settings/settings';

export { type Logger } from 'pino';

export interface LoggerOptions {
  /** The program: `writer`. */
  readonly app?: string;
  /** Distinguishes two starts of a program. */
  readonly instance?: string;
  /** True when standard error is a terminal. */
  readonly isTerminal?: boolean;
  readonly write?: (line: string) => void;
}

/** The limit for lines that wait until a full disk has room again; further lines are lost. */
const MAX_WAITING_BYTES = 1_048_576;

function standardError(): (line: string) => void {
  const destination = pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING_BYTES });
  // The catalog continues to serve when it cannot log.
  destination.on('error', () => undefined);
  return (line) => void destination.write(line);
}

/**
 * Creates a logger on standard error, in JSON unless it is a terminal: error = someone must act, warn =
 * degraded or healed, info = life cycle, debug = per message.
 */
export function createLogger(
  { logLevel }: Pick<Settings, 'logLevel'>,
  {
    app = 'standalone',
    instance,
    isTerminal = process.stderr.isTTY,
    write = standardError(),
  }: LoggerOptions = {},
): Logger {
  return pino(
    {
      level: logLevel,
      base: { app, ...(instance === undefined ? {} : { instance }), pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: loggedError },
    },
    {
      write: isTerminal
        ? (line: string) => {
            write(logLine(line));
          }
        : write,
    },
  );
}

/** Drivers attach whole connections to their errors, so only these members are logged. */
function loggedError(error: Error): object {
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code, details } = error as { readonly code?: unknown; readonly details?: unknown };
  return { type, message, stack, code, details };
}
