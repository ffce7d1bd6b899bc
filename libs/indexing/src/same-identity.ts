import type { IndexIdentity } from '@stratalog/ports';

export function isSameIdentity(a: IndexIdentity, b: IndexIdentity): boolean {
  return a.storeId === b.storeId && a.epoch === b.epoch && a.mapping === b.mapping;
}
