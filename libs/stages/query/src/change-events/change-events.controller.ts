import { Controller, Inject, Req } from '@nestjs/common';
import { Parameters, Route, principalOf, type Input, type UseCase, type WireRequest } from '@stratalog/http';
import { limitsOf } from '@stratalog/domain';
import type { JsonOutput } from '@stratalog/json';
import { TIMELINE_CATEGORIES } from './change-event';
import { READ_EVENT_TIMELINE } from './event-timeline.routes';
import { pollEvents } from './poll-events';
import { POLL_EVENTS } from './poll-events.routes';
import { readEventTimeline } from './read-event-timeline';

/** What changes mean, for OpenAPI clients. */
@Controller()
export class ChangeEventsController {
  @Inject(readEventTimeline) private readonly readEventTimeline!: UseCase<typeof readEventTimeline>;
  @Inject(pollEvents) private readonly pollEvents!: UseCase<typeof pollEvents>;

  @Route(READ_EVENT_TIMELINE)
  timeline(
    @Parameters() { urn, categories, startTime, endTime }: Input<typeof READ_EVENT_TIMELINE>,
  ): Promise<JsonOutput> {
    return this.readEventTimeline({
      urn,
      categories: categories.length === 0 ? TIMELINE_CATEGORIES : categories,
      startTime: toBound(startTime),
      endTime: toBound(endTime),
    });
  }

  @Route(POLL_EVENTS)
  poll(
    @Parameters() { pollTimeoutSeconds, lookbackWindowDays, ...query }: Input<typeof POLL_EVENTS>,
    @Req() request: WireRequest,
  ): Promise<JsonOutput> {
    const poll = { ...query, timeoutMs: pollTimeoutSeconds * 1_000, lookbackDays: lookbackWindowDays };
    return this.pollEvents(poll, limitsOf(principalOf(request), 'reads'));
  }
}

/** The command line sends 0, and other clients -1, for no bound. */
function toBound(time: number | undefined): number | undefined {
  return time === undefined || time <= 0 ? undefined : time;
}
