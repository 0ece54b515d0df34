// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -0.269357771 -0.419463396 1.01171744 0.936330557 0.272906125 0.0893779248
// out: sums 2.66501481 0.892863201 1.41782749 -1.03694106 -0.898300119 -0.300574927 -2.82498608 0 0.57836544 0 -0.533570316 -1.25863539 0.200925961 0.34937472 0.5430238 0.504561576
// cost: 18 instructions, 1864005 ticks
module {
  func.func public @main(%arg0: tensor<9x6xf32>) -> (tensor<6xf32>, tensor<9x6xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %c, %iterArg_2 = %0, %iterArg_3 = %1) : tensor<9x6xf32>, tensor<i32>, tensor<6xf32>, tensor<9x6xf32>
    cond {
      %c_4 = stablehlo.constant dense<9> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %c_4 = stablehlo.constant dense<9> : tensor<i32>
      %3 = stablehlo.subtract %c_4, %iterArg_1 : tensor<i32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %4 = stablehlo.subtract %3, %c_5 : tensor<i32>
      %5 = func.call @dynamic_index_in_dim(%iterArg, %4) : (tensor<9x6xf32>, tensor<i32>) -> tensor<6xf32>
      %6:2 = func.call @closed_call(%iterArg_2, %5) : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>)
      %7 = func.call @dynamic_update_index_in_dim(%iterArg_3, %6#1, %4) : (tensor<9x6xf32>, tensor<6xf32>, tensor<i32>) -> tensor<9x6xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg_1, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %8, %6#0, %7 : tensor<9x6xf32>, tensor<i32>, tensor<6xf32>, tensor<9x6xf32>
    }
    return %2#2, %2#3 : tensor<6xf32>, tensor<9x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x6xf32>, %arg1: tensor<i32>) -> tensor<6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 6] : (tensor<9x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x6xf32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @closed_call(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<6xf32>
    %2 = stablehlo.add %1, %arg1 : tensor<6xf32>
    %3 = stablehlo.multiply %arg0, %arg1 : tensor<6xf32>
    return %2, %3 : tensor<6xf32>, tensor<6xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<i32>) -> tensor<9x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<9x6xf32>
    return %1 : tensor<9x6xf32>
  }
}
