// Every slot of the table, in the order of the interface: the one list from which the table is
// made.
#pragma once

#include <array>
#include <cstddef>

#include "pjrt/abi/buffer.h"
#include "pjrt/abi/client.h"
#include "pjrt/abi/device.h"
#include "pjrt/abi/event.h"
#include "pjrt/abi/executable.h"
#include "pjrt/abi/topology.h"
#include "pjrt/abi/transfer.h"

namespace trainyard::pjrt {

// A function of the interface: its argument record and its public name.
template <class Arguments>
struct Slot {
  const char* name;
};

// A tuple of as many would be instantiated element by element, with what stands before each.
template <class... Arguments>
struct SlotTable {
  std::array<const char*, sizeof...(Arguments)> names;
  explicit constexpr SlotTable(Slot<Arguments>... slot) : names{slot.name...} {}
};

inline constexpr SlotTable slots{
    Slot<ErrorDestroyArgs>{"PJRT_Error_Destroy"},
    Slot<ErrorMessageArgs>{"PJRT_Error_Message"},
    Slot<ErrorGetCodeArgs>{"PJRT_Error_GetCode"},
    Slot<PluginInitializeArgs>{"PJRT_Plugin_Initialize"},
    Slot<PluginAttributesArgs>{"PJRT_Plugin_Attributes"},
    Slot<EventDestroyArgs>{"PJRT_Event_Destroy"},
    Slot<EventIsReadyArgs>{"PJRT_Event_IsReady"},
    Slot<EventErrorArgs>{"PJRT_Event_Error"},
    Slot<EventAwaitArgs>{"PJRT_Event_Await"},
    Slot<EventOnReadyArgs>{"PJRT_Event_OnReady"},
    Slot<ClientCreateArgs>{"PJRT_Client_Create"},
    Slot<ClientDestroyArgs>{"PJRT_Client_Destroy"},
    Slot<ClientPlatformNameArgs>{"PJRT_Client_PlatformName"},
    Slot<ClientProcessIndexArgs>{"PJRT_Client_ProcessIndex"},
    Slot<ClientPlatformVersionArgs>{"PJRT_Client_PlatformVersion"},
    Slot<ClientDevicesArgs>{"PJRT_Client_Devices"},
    Slot<ClientAddressableDevicesArgs>{"PJRT_Client_AddressableDevices"},
    Slot<ClientLookupDeviceArgs>{"PJRT_Client_LookupDevice"},
    Slot<ClientLookupAddressableDeviceArgs>{"PJRT_Client_LookupAddressableDevice"},
    Slot<ClientAddressableMemoriesArgs>{"PJRT_Client_AddressableMemories"},
    Slot<ClientCompileArgs>{"PJRT_Client_Compile"},
    Slot<ClientDefaultDeviceAssignmentArgs>{"PJRT_Client_DefaultDeviceAssignment"},
    Slot<ClientBufferFromHostBufferArgs>{"PJRT_Client_BufferFromHostBuffer"},
    Slot<DeviceDescriptionIdArgs>{"PJRT_DeviceDescription_Id"},
    Slot<DeviceDescriptionProcessIndexArgs>{"PJRT_DeviceDescription_ProcessIndex"},
    Slot<DeviceDescriptionAttributesArgs>{"PJRT_DeviceDescription_Attributes"},
    Slot<DeviceDescriptionKindArgs>{"PJRT_DeviceDescription_Kind"},
    Slot<DeviceDescriptionDebugStringArgs>{"PJRT_DeviceDescription_DebugString"},
    Slot<DeviceDescriptionToStringArgs>{"PJRT_DeviceDescription_ToString"},
    Slot<DeviceGetDescriptionArgs>{"PJRT_Device_GetDescription"},
    Slot<DeviceIsAddressableArgs>{"PJRT_Device_IsAddressable"},
    Slot<DeviceLocalHardwareIdArgs>{"PJRT_Device_LocalHardwareId"},
    Slot<DeviceAddressableMemoriesArgs>{"PJRT_Device_AddressableMemories"},
    Slot<DeviceDefaultMemoryArgs>{"PJRT_Device_DefaultMemory"},
    Slot<DeviceMemoryStatsArgs>{"PJRT_Device_MemoryStats"},
    Slot<MemoryIdArgs>{"PJRT_Memory_Id"},
    Slot<MemoryKindArgs>{"PJRT_Memory_Kind"},
    Slot<MemoryDebugStringArgs>{"PJRT_Memory_DebugString"},
    Slot<MemoryToStringArgs>{"PJRT_Memory_ToString"},
    Slot<MemoryAddressableByDevicesArgs>{"PJRT_Memory_AddressableByDevices"},
    Slot<ExecutableDestroyArgs>{"PJRT_Executable_Destroy"},
    Slot<ExecutableNameArgs>{"PJRT_Executable_Name"},
    Slot<ExecutableNumReplicasArgs>{"PJRT_Executable_NumReplicas"},
    Slot<ExecutableNumPartitionsArgs>{"PJRT_Executable_NumPartitions"},
    Slot<ExecutableNumOutputsArgs>{"PJRT_Executable_NumOutputs"},
    Slot<ExecutableSizeOfGeneratedCodeInBytesArgs>{"PJRT_Executable_SizeOfGeneratedCodeInBytes"},
    Slot<ExecutableGetCostAnalysisArgs>{"PJRT_Executable_GetCostAnalysis"},
    Slot<ExecutableOutputMemoryKindsArgs>{"PJRT_Executable_OutputMemoryKinds"},
    Slot<ExecutableOptimizedProgramArgs>{"PJRT_Executable_OptimizedProgram"},
    Slot<ExecutableSerializeArgs>{"PJRT_Executable_Serialize"},
    Slot<LoadedExecutableDestroyArgs>{"PJRT_LoadedExecutable_Destroy"},
    Slot<LoadedExecutableGetExecutableArgs>{"PJRT_LoadedExecutable_GetExecutable"},
    Slot<LoadedExecutableAddressableDevicesArgs>{"PJRT_LoadedExecutable_AddressableDevices"},
    Slot<LoadedExecutableDeleteArgs>{"PJRT_LoadedExecutable_Delete"},
    Slot<LoadedExecutableIsDeletedArgs>{"PJRT_LoadedExecutable_IsDeleted"},
    Slot<LoadedExecutableExecuteArgs>{"PJRT_LoadedExecutable_Execute"},
    Slot<ExecutableDeserializeAndLoadArgs>{"PJRT_Executable_DeserializeAndLoad"},
    Slot<LoadedExecutableFingerprintArgs>{"PJRT_LoadedExecutable_Fingerprint"},
    Slot<BufferDestroyArgs>{"PJRT_Buffer_Destroy"},
    Slot<BufferElementTypeArgs>{"PJRT_Buffer_ElementType"},
    Slot<BufferDimensionsArgs>{"PJRT_Buffer_Dimensions"},
    Slot<BufferUnpaddedDimensionsArgs>{"PJRT_Buffer_UnpaddedDimensions"},
    Slot<BufferDynamicDimensionIndicesArgs>{"PJRT_Buffer_DynamicDimensionIndices"},
    Slot<BufferGetMemoryLayoutArgs>{"PJRT_Buffer_GetMemoryLayout"},
    Slot<BufferOnDeviceSizeInBytesArgs>{"PJRT_Buffer_OnDeviceSizeInBytes"},
    Slot<BufferDeviceArgs>{"PJRT_Buffer_Device"},
    Slot<BufferMemoryArgs>{"PJRT_Buffer_Memory"},
    Slot<BufferDeleteArgs>{"PJRT_Buffer_Delete"},
    Slot<BufferIsDeletedArgs>{"PJRT_Buffer_IsDeleted"},
    Slot<BufferCopyToDeviceArgs>{"PJRT_Buffer_CopyToDevice"},
    Slot<BufferToHostBufferArgs>{"PJRT_Buffer_ToHostBuffer"},
    Slot<BufferIsOnCpuArgs>{"PJRT_Buffer_IsOnCpu"},
    Slot<BufferReadyEventArgs>{"PJRT_Buffer_ReadyEvent"},
    Slot<BufferUnsafePointerArgs>{"PJRT_Buffer_UnsafePointer"},
    Slot<BufferIncreaseExternalReferenceCountArgs>{"PJRT_Buffer_IncreaseExternalReferenceCount"},
    Slot<BufferDecreaseExternalReferenceCountArgs>{"PJRT_Buffer_DecreaseExternalReferenceCount"},
    Slot<BufferOpaqueDeviceMemoryDataPointerArgs>{"PJRT_Buffer_OpaqueDeviceMemoryDataPointer"},
    Slot<CopyToDeviceStreamDestroyArgs>{"PJRT_CopyToDeviceStream_Destroy"},
    Slot<CopyToDeviceStreamAddChunkArgs>{"PJRT_CopyToDeviceStream_AddChunk"},
    Slot<CopyToDeviceStreamTotalBytesArgs>{"PJRT_CopyToDeviceStream_TotalBytes"},
    Slot<CopyToDeviceStreamGranuleSizeArgs>{"PJRT_CopyToDeviceStream_GranuleSize"},
    Slot<CopyToDeviceStreamCurrentBytesArgs>{"PJRT_CopyToDeviceStream_CurrentBytes"},
    Slot<TopologyDescriptionCreateArgs>{"PJRT_TopologyDescription_Create"},
    Slot<TopologyDescriptionDestroyArgs>{"PJRT_TopologyDescription_Destroy"},
    Slot<TopologyDescriptionPlatformNameArgs>{"PJRT_TopologyDescription_PlatformName"},
    Slot<TopologyDescriptionPlatformVersionArgs>{"PJRT_TopologyDescription_PlatformVersion"},
    Slot<TopologyDescriptionGetDeviceDescriptionsArgs>{
        "PJRT_TopologyDescription_GetDeviceDescriptions"},
    Slot<TopologyDescriptionSerializeArgs>{"PJRT_TopologyDescription_Serialize"},
    Slot<TopologyDescriptionAttributesArgs>{"PJRT_TopologyDescription_Attributes"},
    Slot<CompileArgs>{"PJRT_Compile"},
    Slot<ExecutableOutputElementTypesArgs>{"PJRT_Executable_OutputElementTypes"},
    Slot<ExecutableOutputDimensionsArgs>{"PJRT_Executable_OutputDimensions"},
    Slot<BufferCopyToMemoryArgs>{"PJRT_Buffer_CopyToMemory"},
    Slot<ClientCreateViewOfDeviceBufferArgs>{"PJRT_Client_CreateViewOfDeviceBuffer"},
    Slot<ExecutableFingerprintArgs>{"PJRT_Executable_Fingerprint"},
    Slot<ClientTopologyDescriptionArgs>{"PJRT_Client_TopologyDescription"},
    Slot<ExecutableGetCompiledMemoryStatsArgs>{"PJRT_Executable_GetCompiledMemoryStats"},
    Slot<MemoryKindIdArgs>{"PJRT_Memory_Kind_Id"},
    Slot<ExecuteContextCreateArgs>{"PJRT_ExecuteContext_Create"},
    Slot<ExecuteContextDestroyArgs>{"PJRT_ExecuteContext_Destroy"},
    Slot<BufferCopyRawToHostArgs>{"PJRT_Buffer_CopyRawToHost"},
    Slot<TransferManagerDestroyArgs>{"PJRT_AsyncHostToDeviceTransferManager_Destroy"},
    Slot<TransferManagerTransferDataArgs>{"PJRT_AsyncHostToDeviceTransferManager_TransferData"},
    Slot<ClientCreateBuffersForAsyncHostToDeviceArgs>{
        "PJRT_Client_CreateBuffersForAsyncHostToDevice"},
    Slot<TransferManagerRetrieveBufferArgs>{"PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer"},
    Slot<TransferManagerDeviceArgs>{"PJRT_AsyncHostToDeviceTransferManager_Device"},
    Slot<TransferManagerBufferCountArgs>{"PJRT_AsyncHostToDeviceTransferManager_BufferCount"},
    Slot<TransferManagerBufferSizeArgs>{"PJRT_AsyncHostToDeviceTransferManager_BufferSize"},
    Slot<TransferManagerSetBufferErrorArgs>{"PJRT_AsyncHostToDeviceTransferManager_SetBufferError"},
    Slot<TransferManagerAddMetadataArgs>{"PJRT_AsyncHostToDeviceTransferManager_AddMetadata"},
    Slot<ClientDmaMapArgs>{"PJRT_Client_DmaMap"},
    Slot<ClientDmaUnmapArgs>{"PJRT_Client_DmaUnmap"},
    Slot<ClientCreateUninitializedBufferArgs>{"PJRT_Client_CreateUninitializedBuffer"},
    Slot<ClientUpdateGlobalProcessInfoArgs>{"PJRT_Client_UpdateGlobalProcessInfo"},
    Slot<TopologyDescriptionDeserializeArgs>{"PJRT_TopologyDescription_Deserialize"},
    Slot<ClientCreateAliasBufferArgs>{"PJRT_Client_CreateAliasBuffer"},
    Slot<ClientFulfillAliasBufferArgs>{"PJRT_Client_FulfillAliasBuffer"},
    Slot<LoadedExecutableGetDeviceAssignmentArgs>{"PJRT_LoadedExecutable_GetDeviceAssignment"},
    Slot<ClientCreateErrorBufferArgs>{"PJRT_Client_CreateErrorBuffer"},
    Slot<TransferManagerTransferLiteralArgs>{
        "PJRT_AsyncHostToDeviceTransferManager_TransferLiteral"},
    Slot<BufferCopyRawToHostFutureArgs>{"PJRT_Buffer_CopyRawToHostFuture"},
    Slot<DevicePoisonExecutionArgs>{"PJRT_Device_PoisonExecution"},
    Slot<DeviceCreateAsyncTrackingEventArgs>{"PJRT_Device_CreateAsyncTrackingEvent"},
    Slot<AsyncTrackingEventDestroyArgs>{"PJRT_AsyncTrackingEvent_Destroy"},
    Slot<ExecutableGetCompileOptionsArgs>{"PJRT_Executable_GetCompileOptions"},
    Slot<BufferDonateWithControlDependencyArgs>{"PJRT_Buffer_DonateWithControlDependency"},
    Slot<EventCreateArgs>{"PJRT_Event_Create"},
    Slot<EventSetArgs>{"PJRT_Event_Set"},
    Slot<DeviceGetAttributesArgs>{"PJRT_Device_GetAttributes"},
    Slot<ClientLoadArgs>{"PJRT_Client_Load"},
    Slot<LoadedExecutableAddressableDeviceLogicalIdsArgs>{
        "PJRT_LoadedExecutable_AddressableDeviceLogicalIds"},
    Slot<BufferBitcastArgs>{"PJRT_Buffer_Bitcast"},
    Slot<ErrorForEachPayloadArgs>{"PJRT_Error_ForEachPayload"},
    Slot<TopologyDescriptionFingerprintArgs>{"PJRT_TopologyDescription_Fingerprint"},
    Slot<ExecutableParameterMemoryKindsArgs>{"PJRT_Executable_ParameterMemoryKinds"},
    Slot<DeviceClearMemoryStatsArgs>{"PJRT_Device_ClearMemoryStats"},
    Slot<TopologyDescriptionMakeCanonicalShapeForMemorySpaceArgs>{
        "PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace"},
    Slot<TopologyDescriptionGetMemorySpaceKindIdsArgs>{
        "PJRT_TopologyDescription_GetMemorySpaceKindIds"},
};

inline constexpr int api_major = 0;
inline constexpr int api_minor = 114;

struct ApiVersion {
  Header header;
  std::int32_t major_version;
  std::int32_t minor_version;
};
struct Api {
  std::size_t struct_size;
  ExtensionBase* extension_start;
  ApiVersion version;
  Error* (*functions[slots.names.size()])(void* arguments);
};

}  // namespace trainyard::pjrt
