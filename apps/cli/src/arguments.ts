import { InvalidArgumentError } from 'commander';

/** Makes the parser of an option that takes a whole number. */
export function integerFrom(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(`Must be a whole number from ${String(low)} to ${String(high)}.`);
  };
}

/** Parses one occurrence of a repeatable option. */
export function collected(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}
