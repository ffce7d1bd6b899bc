import type { SearchField } from '@stratalog/domain';

/** A field of names, which searches rank highest. */
export const NAME: SearchField = {
  name: 'name',
  type: 'WORD_GRAM',
  queryByDefault: true,
  boost: 10,
  autocomplete: false,
  aliases: [],
};
