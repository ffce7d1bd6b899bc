import { describe, expect, it } from '@jest/globals';
import { analyzeField } from '../analysis/analyze-field';
import { matches } from '../matching/matches';
import { NAME } from '../testing/name-field';
import { joinNeighbours } from './join-neighbours';
import { parseQuery } from './parse-query';

const finds = (query: string, name: string): boolean =>
  matches(joinNeighbours(parseQuery(query, new Map([[NAME.name, NAME]]))), [analyzeField(NAME, [name])]);

describe('joinNeighbours', () => {
  it.each([
    ['back orders', 'daily_backorders', true],
    ['back order', 'backorders', true],
    ['daily back orders', 'daily_backorders', true],
    ['orders back', 'backorders', false],
    ['back daily orders', 'backorders', false],
    ['back orders -daily', 'daily_backorders', false],
    ['"back orders"', 'backorders', false],
    ['"back" "orders"', 'backorders', false],
    ['name:back orders', 'backorders', false],
    ['back OR orders', 'backorders', false],
    ['a bc', 'abc', false],
    ['1 2 3 45', '12345', false],
    ['2024 0115', 'load_20240115', true],
    ['v 2024', 'report_v2024', true],
    ['customer 360', 'customer360', true],
    ['"2024" 0115', 'load_20240115', false],
    ['v "2024"', 'report_v2024', false],
    ['five daily hourly back orders', 'five_daily_hourly_backorders', false],
  ])('%s finds %s: %s', (query, name, expected) => {
    expect(finds(query, name)).toBe(expected);
  });
});
