import type { KubeObject } from '@fairlead/kube/object';

export const nodeName = 'fairlead-node';
export const nodeAddress = '192.168.49.2';

const capacity = { cpu: '8', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '11000' };

/** The one node of the embedded cluster. Its conditions never change, so nothing beats for it. */
export function nodeObject(now: string): KubeObject {
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeName,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': nodeName,
        'kubernetes.io/os': 'linux',
        'node-role.kubernetes.io/control-plane': '',
      },
    },
    spec: { podCIDR: '10.244.0.0/16', podCIDRs: ['10.244.0.0/16'] },
    status: {
      addresses: [
        { type: 'InternalIP', address: nodeAddress },
        { type: 'Hostname', address: nodeName },
      ],
      capacity,
      allocatable: capacity,
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      ],
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        osImage: 'Fairlead simulated node',
        kernelVersion: 'simulated',
        containerRuntimeVersion: 'simulated://1.0.0',
        kubeletVersion: 'v1.32.0',
        kubeProxyVersion: 'v1.32.0',
        machineID: '',
        systemUUID: '',
        bootID: '',
      },
    },
  };
}
