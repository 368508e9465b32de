import { type GitProviderKind, gitProviders } from '@fairlead/contracts';

const kinds = Object.keys(gitProviders) as GitProviderKind[]; // its keys are the kinds

/** Every host that a token can be kept for. */
export const tokenProviders = kinds.map((value) => ({ value, label: gitProviders[value].label }));

/** Those in which repositories can be made. */
export const connectableProviders = tokenProviders.filter(({ value }) => value !== 'other');
