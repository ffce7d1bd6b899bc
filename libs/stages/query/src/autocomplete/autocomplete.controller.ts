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
import type { JsonOutput } from '@stratalog/json';
import { answerFromIndex } from '../search/answer-from-index';
import { resolveTypes } from '../search/resolve-types';
import { toListed } from '../search/to-search';
import { autocomplete } from './autocomplete';
import { AUTOCOMPLETE } from './autocomplete.routes';

/** The action that completes a partial text. */
@Controller()
export class AutocompleteController {
  @Inject(PositionedReads) private readonly reads!: PositionedReads;
  @Inject(resolveTypes) private readonly resolveTypes!: UseCase<typeof resolveTypes>;
  @Inject(autocomplete) private readonly autocomplete!: UseCase<typeof autocomplete>;

  @Route(AUTOCOMPLETE)
  complete(
    @Parameters() { query, entity, entities, filter, searchFlags, ...asked }: Input<typeof AUTOCOMPLETE>,
    @Req() request: WireRequest,
    @Res({ passthrough: true }) reply: WireReply,
  ): Promise<JsonOutput> {
    const names = [...(entity === undefined ? [] : [entity]), ...(entities ?? [])];
    const entityTypes = this.resolveTypes(names);
    const filtered = toListed({ filter, searchFlags }, entityTypes, request, AUTOCOMPLETE);
    const completion = { entityTypes, text: query, ...asked, ...filtered };
    return answerFromIndex(this.reads, request, reply, () => this.autocomplete(completion));
  }
}
