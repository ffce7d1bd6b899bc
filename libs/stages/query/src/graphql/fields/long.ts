import { GraphQLError, Kind, type GraphQLScalarType } from 'graphql';

const MAX = 2n ** 63n - 1n;

/** The scalar `Long`: whole numbers of 64 bits, in variables also as texts. */
export const LONG: Pick<GraphQLScalarType, 'serialize' | 'parseValue' | 'parseLiteral'> = {
  serialize: toLong,
  parseValue: toLong,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT || node.kind === Kind.STRING) return toLong(node.value);
    throw new GraphQLError('Long is a whole number', { nodes: node });
  },
};

function toLong(value: unknown): number | bigint {
  const whole = toWhole(value);
  if (whole === undefined || whole > MAX || whole < -MAX - 1n) {
    throw new GraphQLError(
      `Long is a whole number of up to 64 bits, not ${JSON.stringify(String(value).slice(0, 100))}`,
    );
  }
  const exact = Number(whole);
  return Number.isSafeInteger(exact) ? exact : whole;
}

function toWhole(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : undefined;
}
