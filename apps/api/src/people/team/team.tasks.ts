import { defineTask } from '../../platform/tasks/tasks.ts';
import {
  endInvitationInTime,
  endOwnershipInTime,
  expireInvitation,
  expireOwnership,
  mailInvitation,
  sendInvitation,
} from './team-timers.service.ts';

export const teamTasks = [
  defineTask({ ...sendInvitation, queue: 'messages', run: mailInvitation }),
  defineTask({ ...expireInvitation, run: endInvitationInTime }),
  defineTask({ ...expireOwnership, run: endOwnershipInTime }),
];
