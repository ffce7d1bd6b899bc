import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  Parameters,
  Route,
  type Input,
  type UseCase,
  type WireReply,
  type WireRequest,
} from '@stratalog/http';
import { PositionedReads } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/model';
import { parseFilter } from '../filters/filter-and-sort';
import { answerFromIndex } from '../search/answer-from-index';
import { resolveTypes } from '../search/resolve-types';
import { autocomplete } from './autocomplete';
import { AUTOCOMPLETE } from './autocomplete.routes';

/** The action that completes a partial text. */
@Controller()
export class AutocompleteController {
  constructor(
    @Inject(PositionedReads) private readonly reads: PositionedReads,
    @Inject(resolveTypes) private readonly typesNamed: UseCase<typeof resolveTypes>,
    @Inject(autocomplete) private readonly runAutocomplete: UseCase<typeof autocomplete>,
  ) {}

  @Route(AUTOCOMPLETE)
  complete(
    @Parameters() { query, entity, entities, limit, start, field, filter }: Input<typeof AUTOCOMPLETE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const names = [...(entity === undefined ? [] : [entity]), ...(entities ?? [])];
    const entityTypes = this.typesNamed(names);
    const filtered = parseFilter(filter, entityTypes, AUTOCOMPLETE.reject);
    const completion = { entityTypes, text: query, field, start, limit, ...filtered };
    return answerFromIndex(this.reads, request, reply, () => this.runAutocomplete(completion));
  }
}
