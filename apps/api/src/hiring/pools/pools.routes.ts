import { pools } from '@nearhand/contract/hiring/pools';
import { read, write } from '../../platform/http/bind.ts';
import { invitePool, poolInvitees } from './pool-invitations.ts';
import { addToPool, createPool, deletePool, listPools, removeFromPool, renamePool } from './pools.ts';
import {
  addSavedNote,
  listSavedNotes,
  listSavedWorkers,
  removeSavedNote,
  savedStateOf,
  setSavedTags,
} from './saved-workers.ts';

export const poolsRoutes = {
  list: read(pools.list, listPools),
  create: write(pools.create, createPool),
  rename: write(pools.rename, renamePool),
  delete: write(pools.delete, deletePool),
  add: write(pools.add, addToPool),
  remove: write(pools.remove, removeFromPool),
  workers: read(pools.workers, listSavedWorkers),
  ofWorker: read(pools.ofWorker, savedStateOf),
  setTags: write(pools.setTags, setSavedTags),
  notes: read(pools.notes, listSavedNotes),
  addNote: write(pools.addNote, addSavedNote),
  deleteNote: write(pools.deleteNote, removeSavedNote),
  invitees: read(pools.invitees, poolInvitees),
  invite: write(pools.invite, invitePool),
};
