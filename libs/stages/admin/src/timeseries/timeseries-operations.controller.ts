import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  setPosition,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { describeIndexSizes } from './index-sizes';
import { GET_INDEX_SIZES, TRUNCATE_TIMESERIES } from './timeseries.routes';
import { truncateTimeseries } from './truncate-timeseries';

/** The actions of operators on timeseries values. */
@Controller()
export class TimeseriesOperationsController {
  @Inject(describeIndexSizes) private readonly describeIndexSizes!: UseCase<typeof describeIndexSizes>;
  @Inject(truncateTimeseries) private readonly truncateTimeseries!: UseCase<typeof truncateTimeseries>;

  @Route(GET_INDEX_SIZES)
  getIndexSizes(): Promise<JsonOutputObject> {
    return this.describeIndexSizes();
  }

  @Route(TRUNCATE_TIMESERIES)
  async truncate(
    @Parameters() parameters: Input<typeof TRUNCATE_TIMESERIES>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<string> {
    const { text, position } = await this.truncateTimeseries(parameters, actorOf(request));
    if (position !== undefined) setPosition(reply, position);
    return text;
  }
}
