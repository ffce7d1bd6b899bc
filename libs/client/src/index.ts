export { ApiClient } from './api-client';
export { CallRejectedError, NoAnswerError, UnexpectedAnswerError } from './call-errors';
