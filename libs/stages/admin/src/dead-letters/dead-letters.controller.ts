import { Controller, Inject, Req } from '@nestjs/common';
import {
  Parameters,
  Route,
  actorOf,
  authorizeCall,
  type Input,
  type UseCase,
  type WireRequest,
} from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import {
  COUNT_DEAD_LETTERS,
  DISCARD_DEAD_LETTER,
  DISCARD_DEAD_LETTERS,
  LIST_DEAD_LETTERS,
  REPLAY_DEAD_LETTER,
  REPLAY_DEAD_LETTERS,
  SHOW_DEAD_LETTER,
} from './dead-letters.routes';
import { toSelection } from './letters-tasks';
import { countDeadLetters, listDeadLetters } from './list-dead-letters';
import { discardDeadLetter, replayDeadLetter, showDeadLetter } from './settle-letter';
import { discardDeadLetters, replayDeadLetters } from './settle-selected';

/** Lists, shows, replays and discards dead letters. */
@Controller()
export class DeadLettersController {
  @Inject(listDeadLetters) private readonly listDeadLetters!: UseCase<typeof listDeadLetters>;
  @Inject(countDeadLetters) private readonly countDeadLetters!: UseCase<typeof countDeadLetters>;
  @Inject(showDeadLetter) private readonly showDeadLetter!: UseCase<typeof showDeadLetter>;
  @Inject(replayDeadLetter) private readonly replayDeadLetter!: UseCase<typeof replayDeadLetter>;
  @Inject(discardDeadLetter) private readonly discardDeadLetter!: UseCase<typeof discardDeadLetter>;
  @Inject(replayDeadLetters) private readonly replayDeadLetters!: UseCase<typeof replayDeadLetters>;
  @Inject(discardDeadLetters) private readonly discardDeadLetters!: UseCase<typeof discardDeadLetters>;

  @Route(LIST_DEAD_LETTERS)
  list(
    @Parameters() { start, count: limit, cursor, state, ...selected }: Input<typeof LIST_DEAD_LETTERS>,
  ): Promise<JsonOutputObject> {
    return this.listDeadLetters({ ...toSelection(selected), state, start, limit, cursor });
  }

  @Route(COUNT_DEAD_LETTERS)
  count(@Parameters() { state, ...selected }: Input<typeof COUNT_DEAD_LETTERS>): Promise<JsonOutputObject> {
    return this.countDeadLetters({ ...toSelection(selected), state });
  }

  @Route(SHOW_DEAD_LETTER)
  show(@Parameters() { letter }: Input<typeof SHOW_DEAD_LETTER>): Promise<JsonOutputObject> {
    return this.showDeadLetter(letter);
  }

  @Route(REPLAY_DEAD_LETTER)
  replay(
    @Parameters() parameters: Input<typeof REPLAY_DEAD_LETTER>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    // A correction is a write of the caller, about which policies decide at ingest alone; they do not bind this scope.
    if (parameters.proposal !== undefined) authorizeCall(request, undefined, 'administers');
    return this.replayDeadLetter(parameters, actorOf(request));
  }

  @Route(DISCARD_DEAD_LETTER)
  discard(
    @Parameters() { letter }: Input<typeof DISCARD_DEAD_LETTER>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.discardDeadLetter(letter, actorOf(request));
  }

  @Route(REPLAY_DEAD_LETTERS)
  replaySelected(
    @Parameters() parameters: Input<typeof REPLAY_DEAD_LETTERS>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.replayDeadLetters(parameters, actorOf(request));
  }

  @Route(DISCARD_DEAD_LETTERS)
  discardSelected(
    @Parameters() parameters: Input<typeof DISCARD_DEAD_LETTERS>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    return this.discardDeadLetters(parameters, actorOf(request));
  }
}
