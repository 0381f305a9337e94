import { createStore } from '../../lib/store.ts';

const pointed = createStore<string | null>(null);

/** Sets the job with the pointer or the focus. A store, so that only the map renders again, not the list. */
export const pointAtJob = pointed.set;

export const usePointedJob = pointed.useValue;
