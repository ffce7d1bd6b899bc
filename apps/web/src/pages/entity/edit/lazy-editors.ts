import { lazy } from 'react';

/** The editors are one chunk, which the first of them loads. */
const load = () => import('./aspect-editors');

export const TextEditor = lazy(async () => ({ default: (await load()).TextEditor }));
export const EntitiesEditor = lazy(async () => ({ default: (await load()).EntitiesEditor }));
export const OwnersEditor = lazy(async () => ({ default: (await load()).OwnersEditor }));
export const LinksEditor = lazy(async () => ({ default: (await load()).LinksEditor }));
export const DeprecationEditor = lazy(async () => ({ default: (await load()).DeprecationEditor }));
export const PropertiesEditor = lazy(async () => ({ default: (await load()).PropertiesEditor }));
