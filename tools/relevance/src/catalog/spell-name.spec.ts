import { expect, test } from '@jest/globals';
import { toCamel, toKebab, toPascal, toSnake, toWords } from './spell-name';

test.each([
  ['customer orders', ['customer', 'order']],
  ['Late deliveries', ['late', 'delivery']],
  ['gift boxes and batches', ['gift', 'box', 'and', 'batch']],
  ['order status history', ['order', 'status', 'history']],
  ['sales targets', ['sales', 'target']],
  ['Kenji Watanabe', ['kenji', 'watanabe']],
])('%s is about the words %j', (text, words) => {
  expect(toWords(text)).toEqual(words);
});

test('spells words as platforms do', () => {
  const spellings = [toSnake, toKebab, toCamel, toPascal].map((spell) => spell('order status history'));
  expect(spellings).toEqual([
    'order_status_history',
    'order-status-history',
    'orderStatusHistory',
    'OrderStatusHistory',
  ]);
});
