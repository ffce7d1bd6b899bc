import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { FaultError } from '@stratalog/domain';
import type { WireReply } from '../request/wire';

/** Passes an error that a controller threw to the adapter, which writes the answer. */
@Catch()
export class WireErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<WireReply>();
    if (reply.sent) return;
    void reply.send(
      thrown instanceof Error ? thrown : new FaultError('not an error was thrown', { cause: thrown }),
    );
  }
}
