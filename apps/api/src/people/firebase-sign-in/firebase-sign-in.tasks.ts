import { defineTask } from '../../platform/tasks/tasks.ts';
import { pushEmailTask, removeTask, runPushEmail, runRemove } from './firebase-identities.ts';

export const firebaseSignInTasks = [
  defineTask({ ...pushEmailTask, queue: 'messages', run: runPushEmail }),
  defineTask({ ...removeTask, queue: 'messages', run: runRemove }),
];
