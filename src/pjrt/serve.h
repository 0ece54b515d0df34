// The slots that are real: what is listed here is served, every other slot is refused by name. Each
// fills the outputs of its record or throws; see entry.h.
#pragma once

#include "pjrt/abi/buffer.h"
#include "pjrt/abi/client.h"
#include "pjrt/abi/device.h"
#include "pjrt/abi/event.h"
#include "pjrt/abi/executable.h"
#include "pjrt/abi/topology.h"
#include "pjrt/abi/transfer.h"

namespace trainyard::pjrt {

// error.cpp
void serve(ErrorDestroyArgs& args);
void serve(ErrorMessageArgs& args);
void serve(ErrorGetCodeArgs& args);
void serve(ErrorForEachPayloadArgs& args);

// event.cpp
void serve(EventDestroyArgs& args);
void serve(EventIsReadyArgs& args);
void serve(EventErrorArgs& args);
void serve(EventAwaitArgs& args);
void serve(EventOnReadyArgs& args);
void serve(EventCreateArgs& args);
void serve(EventSetArgs& args);

// plugin.cpp
void serve(PluginInitializeArgs& args);
void serve(PluginAttributesArgs& args);

// client.cpp
void serve(ClientCreateArgs& args);
void serve(ClientDestroyArgs& args);
void serve(ClientPlatformNameArgs& args);
void serve(ClientPlatformVersionArgs& args);
void serve(ClientProcessIndexArgs& args);
void serve(ClientDevicesArgs& args);
void serve(ClientAddressableDevicesArgs& args);
void serve(ClientLookupDeviceArgs& args);
void serve(ClientLookupAddressableDeviceArgs& args);
void serve(ClientAddressableMemoriesArgs& args);
void serve(ClientTopologyDescriptionArgs& args);
void serve(ClientDefaultDeviceAssignmentArgs& args);
void serve(ClientUpdateGlobalProcessInfoArgs& args);
void serve(DeviceGetDescriptionArgs& args);
void serve(DeviceIsAddressableArgs& args);
void serve(DeviceLocalHardwareIdArgs& args);
void serve(DeviceAddressableMemoriesArgs& args);
void serve(DeviceDefaultMemoryArgs& args);
void serve(DeviceMemoryStatsArgs& args);
void serve(DeviceClearMemoryStatsArgs& args);
void serve(DeviceGetAttributesArgs& args);

// memory.cpp
void serve(MemoryIdArgs& args);
void serve(MemoryKindArgs& args);
void serve(MemoryKindIdArgs& args);
void serve(MemoryDebugStringArgs& args);
void serve(MemoryToStringArgs& args);
void serve(MemoryAddressableByDevicesArgs& args);

// topology.cpp
void serve(TopologyDescriptionCreateArgs& args);
void serve(TopologyDescriptionDestroyArgs& args);
void serve(TopologyDescriptionPlatformNameArgs& args);
void serve(TopologyDescriptionPlatformVersionArgs& args);
void serve(TopologyDescriptionGetDeviceDescriptionsArgs& args);
void serve(TopologyDescriptionSerializeArgs& args);
void serve(TopologyDescriptionDeserializeArgs& args);
void serve(TopologyDescriptionAttributesArgs& args);
void serve(TopologyDescriptionFingerprintArgs& args);
void serve(TopologyDescriptionGetMemorySpaceKindIdsArgs& args);
void serve(DeviceDescriptionIdArgs& args);
void serve(DeviceDescriptionProcessIndexArgs& args);
void serve(DeviceDescriptionAttributesArgs& args);
void serve(DeviceDescriptionKindArgs& args);
void serve(DeviceDescriptionDebugStringArgs& args);
void serve(DeviceDescriptionToStringArgs& args);

// serve_buffer.cpp
void serve(ClientBufferFromHostBufferArgs& args);
void serve(ClientCreateUninitializedBufferArgs& args);
void serve(ClientCreateErrorBufferArgs& args);
void serve(BufferDestroyArgs& args);
void serve(BufferDeleteArgs& args);
void serve(BufferIsDeletedArgs& args);
void serve(BufferElementTypeArgs& args);
void serve(BufferDimensionsArgs& args);
void serve(BufferUnpaddedDimensionsArgs& args);
void serve(BufferDynamicDimensionIndicesArgs& args);
void serve(BufferGetMemoryLayoutArgs& args);
void serve(BufferOnDeviceSizeInBytesArgs& args);
void serve(BufferDeviceArgs& args);
void serve(BufferMemoryArgs& args);
void serve(BufferIsOnCpuArgs& args);
void serve(BufferReadyEventArgs& args);
void serve(BufferCopyToDeviceArgs& args);
void serve(BufferCopyToMemoryArgs& args);
void serve(BufferToHostBufferArgs& args);
void serve(BufferCopyRawToHostArgs& args);
void serve(BufferBitcastArgs& args);
void serve(BufferUnsafePointerArgs& args);

// transfer.cpp
void serve(ClientCreateBuffersForAsyncHostToDeviceArgs& args);
void serve(TransferManagerDestroyArgs& args);
void serve(TransferManagerTransferDataArgs& args);
void serve(TransferManagerRetrieveBufferArgs& args);
void serve(TransferManagerDeviceArgs& args);
void serve(TransferManagerBufferCountArgs& args);
void serve(TransferManagerBufferSizeArgs& args);

// serve_executable.cpp
void serve(ClientCompileArgs& args);
void serve(CompileArgs& args);
void serve(ClientLoadArgs& args);
void serve(ExecutableDestroyArgs& args);
void serve(ExecutableNameArgs& args);
void serve(ExecutableNumReplicasArgs& args);
void serve(ExecutableNumPartitionsArgs& args);
void serve(ExecutableNumOutputsArgs& args);
void serve(ExecutableSizeOfGeneratedCodeInBytesArgs& args);
void serve(ExecutableFingerprintArgs& args);
void serve(ExecutableGetCostAnalysisArgs& args);
void serve(ExecutableOutputElementTypesArgs& args);
void serve(ExecutableOutputDimensionsArgs& args);
void serve(ExecutableOutputMemoryKindsArgs& args);
void serve(ExecutableParameterMemoryKindsArgs& args);
void serve(ExecutableOptimizedProgramArgs& args);
void serve(ExecutableGetCompiledMemoryStatsArgs& args);
void serve(ExecutableSerializeArgs& args);
void serve(ExecutableGetCompileOptionsArgs& args);
void serve(ExecutableDeserializeAndLoadArgs& args);
void serve(LoadedExecutableDestroyArgs& args);
void serve(LoadedExecutableGetExecutableArgs& args);
void serve(LoadedExecutableAddressableDevicesArgs& args);
void serve(LoadedExecutableAddressableDeviceLogicalIdsArgs& args);
void serve(LoadedExecutableGetDeviceAssignmentArgs& args);
void serve(LoadedExecutableDeleteArgs& args);
void serve(LoadedExecutableIsDeletedArgs& args);
void serve(LoadedExecutableFingerprintArgs& args);

// execute.cpp
void serve(ExecuteContextCreateArgs& args);
void serve(ExecuteContextDestroyArgs& args);
void serve(LoadedExecutableExecuteArgs& args);

}  // namespace trainyard::pjrt
