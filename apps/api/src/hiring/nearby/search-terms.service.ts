import { chordOfMetres, onSphere } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { squaresAround } from './geo-squares.rules.ts';
import { wordQuery } from './nearby.rules.ts';
import type { Around } from './nearby.sql.ts';

/** A search's place as the database compares it: for nearby search and for saved searches, which must find the same jobs (ADR 151). */
export const circleAround = (from: Point, radiusKm: number): Around => ({
  pos: onSphere(from),
  chord: chordOfMetres(radiusKm * 1000),
  squares: squaresAround(from, radiusKm * 1000),
});

/** Typed text as a full-text query; null without any words, which then do not filter. */
export const wordsOf = (typed: string | null | undefined): string | null =>
  typed === null || typed === undefined ? null : wordQuery(typed);
