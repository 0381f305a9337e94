import { savedSearches } from '@nearhand/contract/hiring/saved-searches';
import { read, write } from '../../platform/http/bind.ts';
import {
  createSavedSearch,
  listSavedSearches,
  removeSavedSearch,
  restoreSavedSearch,
  updateSavedSearch,
} from './saved-searches.service.ts';

export const savedSearchesRoutes = {
  create: write(savedSearches.create, createSavedSearch),
  list: read(savedSearches.list, listSavedSearches),
  update: write(savedSearches.update, updateSavedSearch),
  remove: write(savedSearches.remove, removeSavedSearch),
  restore: write(savedSearches.restore, restoreSavedSearch),
};
