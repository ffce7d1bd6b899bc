import { UseFilters, applyDecorators } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { ChangeKey, ProposalEntry, WriteOutcome } from '@stratalog/domain';
import type { Batch, Verdict } from '@stratalog/ports';
import type { BatchContext, ChangeContext } from './batch-context';
import { KeepCauseFilter } from './keep-cause.filter';
import { LOG_TRANSPORT, toPattern, type Log } from './log-pattern';

type HandlerDecorator<T, R, Context> = <
  Method extends (batch: Batch<T>, context: Context) => Promise<Verdict<R, T>>,
>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Makes a method of a controller the handler of a consumer of the proposal log: `(@Payload() batch, @Ctx() context) => verdict`.
 *
 * **Errors**: two handlers of one consumer, or none, stop the start.
 */
export function ConsumesProposals(
  consumer: string,
): HandlerDecorator<ProposalEntry, WriteOutcome, BatchContext> {
  return consumes('proposals', consumer);
}

/** The same for a consumer of the change log. */
export function ConsumesChanges(consumer: string): HandlerDecorator<ChangeKey, void, ChangeContext> {
  return consumes('changes', consumer);
}

function consumes(log: Log, consumer: string) {
  return applyDecorators(
    EventPattern([toPattern(log, consumer)], LOG_TRANSPORT),
    UseFilters(KeepCauseFilter),
  );
}
