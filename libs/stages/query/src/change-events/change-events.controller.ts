import { Controller, Inject } from '@nestjs/common';
import { Parameters, Route, type Input, type UseCase } from '@stratalog/http';
import type { JsonOutput } from '@stratalog/json';
import { TIMELINE_CATEGORIES } from './change-event';
import { READ_EVENT_TIMELINE } from './event-timeline.routes';
import { readEventTimeline } from './read-event-timeline';

/** What changes mean, for OpenAPI clients. */
@Controller()
export class ChangeEventsController {
  @Inject(readEventTimeline) private readonly readEventTimeline!: UseCase<typeof readEventTimeline>;

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
}

/** The command line sends 0, and other clients -1, for no bound. */
function toBound(time: number | undefined): number | undefined {
  return time === undefined || time <= 0 ? undefined : time;
}
