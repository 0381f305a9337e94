import { branches } from '@nearhand/contract/people/branches';
import { read, write } from '../../platform/http/bind.ts';
import {
  closeBranch,
  createBranch,
  deleteBranch,
  listBranches,
  reopenBranch,
  updateBranch,
} from './branches.service.ts';

export const branchesRoutes = {
  list: read(branches.list, listBranches),
  create: write(branches.create, createBranch),
  update: write(branches.update, updateBranch),
  close: write(branches.close, closeBranch),
  reopen: write(branches.reopen, reopenBranch),
  delete: write(branches.delete, deleteBranch),
};
