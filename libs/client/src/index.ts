export { ApiClient, type Given, type Reply } from './api-client';
export { type Address, type AnswerOf, type ParametersOf } from './api';
export { CallRejectedError, NoAnswerError, UnexpectedAnswerError } from './call-errors';
export { type Fetch, type FetchedAnswer, type FetchOptions } from './fetch';
