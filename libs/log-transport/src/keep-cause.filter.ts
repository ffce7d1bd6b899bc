import { Catch, type RpcExceptionFilter } from '@nestjs/common';

/** Passes the error of a handler on to its log as it is. Nest would replace it by "Internal server error". */
@Catch()
export class KeepCauseFilter implements RpcExceptionFilter<unknown> {
  catch(error: unknown): never {
    throw error;
  }
}
