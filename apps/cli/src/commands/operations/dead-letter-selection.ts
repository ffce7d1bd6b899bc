import { Option, type Command } from 'commander';
import type { ParametersOf } from '@stratalog/client';
import { DEAD_LETTER_CAUSES, type DeadLetterCause } from '@stratalog/domain';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { parseTimeRange, type TimeRange } from '../../output/time';

type Query = NonNullable<ParametersOf<'GET /operations/deadLetters/counts'>>;

/** The options that select dead letters. */
export interface SelectionOptions extends ConnectionOptions {
  readonly cause?: DeadLetterCause;
  readonly reason?: string;
  readonly entityType?: string;
  readonly urn?: string;
  readonly topic?: string;
  readonly time?: TimeRange;
  readonly json?: true;
}

/** Adds the options that select dead letters, and those of the connection. */
export function addSelection(command: Command): Command {
  return addConnectionOptions(command)
    .addOption(new Option('--cause <cause>', 'only those with this cause').choices(DEAD_LETTER_CAUSES))
    .option('--reason <text>', 'only those whose reason contains this text')
    .option('--entity-type <type>', 'only those with a proposal for this entity type')
    .option('--urn <urn>', 'only those with a proposal for this entity')
    .option('--topic <topic>', 'only records of this topic')
    .option(
      '--time <range>',
      'only those that were first rejected in a time: FROM or FROM..TO',
      parseTimeRange,
    );
}

export function toSelection({ cause, reason, entityType, urn, topic, time }: SelectionOptions): Query {
  return { cause, reason, entityType, urn, topic, from: time?.fromMs, to: time?.toMs };
}
