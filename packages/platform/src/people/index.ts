export { addKey, listKeys, revokeKey } from './keys.ts';
export { listSessions, removeSession } from './sessions.ts';
export { addTeam, listTeams, removeTeam, setMembers } from './teams.ts';
export { addUser, changeUser, listUsers, userNamed } from './users.ts';
