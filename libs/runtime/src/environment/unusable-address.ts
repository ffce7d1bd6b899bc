import { InvalidSettingError } from '@stratalog/domain';

/**
 * Explains a failed `listen` to the operator who set the address; returns any other failure unchanged.
 * `setting` is the port's.
 */
export function unusableAddress(
  setting: string,
  host: string,
  port: number,
  error: NodeJS.ErrnoException,
): Error {
  const rejected = (message: string) => new InvalidSettingError(message, { cause: error });
  switch (error.code) {
    case 'EADDRINUSE':
    case 'EACCES': {
      const reason = error.code === 'EACCES' ? 'cannot be used (EACCES)' : 'is taken by another process';
      return rejected(
        `${setting} ${String(port)} on ${host} ${reason}; allowed: a free port, or 0 to have one picked`,
      );
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return rejected(`STRATALOG_HOST is "${host}"; allowed: a host name or address of this machine`);
    default:
      return error;
  }
}
