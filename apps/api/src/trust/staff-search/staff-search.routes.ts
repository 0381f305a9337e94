import { staffSearch } from '@nearhand/contract/trust/staff-search';
import { read } from '../../platform/http/bind.ts';
import { entriesForStaff, findForStaff, recordForStaff } from './staff-search.service.ts';

export const staffSearchRoutes = {
  find: read(staffSearch.find, findForStaff),
  get: read(staffSearch.get, recordForStaff),
  entries: read(staffSearch.entries, entriesForStaff),
};
