// tolerance: 1e-06
// in: draw 4 -1 9.5367431640625e-07 2097153
// out: 1.25787663 0.570624232 0.217221111 -0.234559581 0.557683587 0.297940493 0.613452792 -0.148706391 -0.906335056 0.350984216 -1.03909063 -0.501300573 0.275412679 -0.1739721 -0.883063078 0.308792681 -0.246391475 -0.348741382 -0.091197595 0.881097436 -0.273536325 0.06642133 -0.915808439 -0.544778109 0.8126688 -0.744780123 -1.16357839 0.791243494 -0.112169981 -0.134693339 1.07091367 -0.427539825
// out: sums 1.39000847 1.43161245 0.591963457 -9.03808337 4.26083907 -0.922304572 0.6717424 -0.210830186 -4.8195486 2.68666513 2.14937423 -6.97034549 1.79389662 2.55452201 -8.97988707 -1.14233744
// cost: 16 instructions, 1921958 ticks
module {
  func.func public @main(%arg0: tensor<12x32xf32>) -> (tensor<32xf32>, tensor<12x32xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<12x32xf32>) -> tensor<3x4x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x4x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:4 = stablehlo.while(%iterArg = %1, %iterArg_1 = %c, %iterArg_2 = %0, %iterArg_3 = %2) : tensor<3x4x32xf32>, tensor<i32>, tensor<32xf32>, tensor<3x4x32xf32>
    cond {
      %c_4 = stablehlo.constant dense<3> : tensor<i32>
      %5 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<3x4x32xf32>, tensor<i32>) -> tensor<4x32xf32>
      %6 = stablehlo.slice %5 [0:1, 0:32] : (tensor<4x32xf32>) -> tensor<1x32xf32>
      %7 = stablehlo.reshape %6 : (tensor<1x32xf32>) -> tensor<32xf32>
      %8:2 = func.call @closed_call(%iterArg_2, %7) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>)
      %9 = stablehlo.slice %5 [1:2, 0:32] : (tensor<4x32xf32>) -> tensor<1x32xf32>
      %10 = stablehlo.reshape %9 : (tensor<1x32xf32>) -> tensor<32xf32>
      %11:2 = func.call @closed_call(%8#0, %10) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>)
      %12 = stablehlo.slice %5 [2:3, 0:32] : (tensor<4x32xf32>) -> tensor<1x32xf32>
      %13 = stablehlo.reshape %12 : (tensor<1x32xf32>) -> tensor<32xf32>
      %14:2 = func.call @closed_call(%11#0, %13) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>)
      %15 = stablehlo.slice %5 [3:4, 0:32] : (tensor<4x32xf32>) -> tensor<1x32xf32>
      %16 = stablehlo.reshape %15 : (tensor<1x32xf32>) -> tensor<32xf32>
      %17:2 = func.call @closed_call(%14#0, %16) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>)
      %18 = stablehlo.broadcast_in_dim %8#1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %19 = stablehlo.broadcast_in_dim %11#1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %20 = stablehlo.broadcast_in_dim %14#1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %21 = stablehlo.broadcast_in_dim %17#1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %22 = stablehlo.concatenate %18, %19, %20, %21, dim = 0 : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<4x32xf32>
      %23 = func.call @dynamic_update_index_in_dim(%iterArg_3, %22, %iterArg_1) : (tensor<3x4x32xf32>, tensor<4x32xf32>, tensor<i32>) -> tensor<3x4x32xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %24, %17#0, %23 : tensor<3x4x32xf32>, tensor<i32>, tensor<32xf32>, tensor<3x4x32xf32>
    }
    %4 = stablehlo.reshape %3#3 : (tensor<3x4x32xf32>) -> tensor<12x32xf32>
    return %3#2, %4 : tensor<32xf32>, tensor<12x32xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x4x32xf32>, %arg1: tensor<i32>) -> tensor<4x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 32] : (tensor<3x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x32xf32>) -> tensor<4x32xf32>
    return %1 : tensor<4x32xf32>
  }
  func.func private @closed_call(%arg0: tensor<32xf32>, %arg1: tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<32xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<32xf32>
    return %2, %arg0 : tensor<32xf32>, tensor<32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4x32xf32>, %arg1: tensor<4x32xf32>, %arg2: tensor<i32>) -> tensor<3x4x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x32xf32>) -> tensor<1x4x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x4x32xf32>, tensor<1x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x32xf32>
    return %1 : tensor<3x4x32xf32>
  }
}
