// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 6.44141155 -0.864577969 1.01713758 8.54962626 3.51684789 0.218983272 5.52388836 -4.51279442 -0.890609956 5.64409386 0.427135112 -7.36795904 -8.49545618 -5.72059036 0.170023593 -7.64292882
// cost: 47 instructions, 2374157 ticks
module {
  func.func public @main(%arg0: tensor<4x2x3x20xf32>, %arg1: tensor<20x6x5xf32>, %arg2: tensor<6x6xf32>) -> (tensor<4x2x3x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x2x3x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:6 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %arg2, %iterArg_3 = %c, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<4x2x3x20xf32>, tensor<20x6x5xf32>, tensor<6x6xf32>, tensor<i32>, tensor<2x3x6xf32>, tensor<4x2x3x6xf32>
    cond {
      %c_6 = stablehlo.constant dense<4> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_3) : (tensor<4x2x3x20xf32>, tensor<i32>) -> tensor<2x3x20xf32>
      %4:2 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_4, %3) : (tensor<20x6x5xf32>, tensor<6x6xf32>, tensor<2x3x6xf32>, tensor<2x3x20xf32>) -> (tensor<2x3x6xf32>, tensor<2x3x6xf32>)
      %5 = func.call @dynamic_update_index_in_dim(%iterArg_5, %4#1, %iterArg_3) : (tensor<4x2x3x6xf32>, tensor<2x3x6xf32>, tensor<i32>) -> tensor<4x2x3x6xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %6, %4#0, %5 : tensor<4x2x3x20xf32>, tensor<20x6x5xf32>, tensor<6x6xf32>, tensor<i32>, tensor<2x3x6xf32>, tensor<4x2x3x6xf32>
    }
    return %2#5 : tensor<4x2x3x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x2x3x20xf32>, %arg1: tensor<i32>) -> tensor<2x3x20xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 3, 20] : (tensor<4x2x3x20xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3x20xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x3x20xf32>) -> tensor<2x3x20xf32>
    return %1 : tensor<2x3x20xf32>
  }
  func.func private @closed_call(%arg0: tensor<20x6x5xf32>, %arg1: tensor<6x6xf32>, %arg2: tensor<2x3x6xf32>, %arg3: tensor<2x3x20xf32>) -> (tensor<2x3x6xf32>, tensor<2x3x6xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x20xf32>, tensor<20x6x5xf32>) -> tensor<2x3x6x5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x3x6x5xf32>, tensor<f32>) -> tensor<2x3x6xf32>
    %2 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3x6xf32>, tensor<6x6xf32>) -> tensor<2x3x6xf32>
    %3 = stablehlo.add %1, %2 : tensor<2x3x6xf32>
    %4 = stablehlo.tanh %3 : tensor<2x3x6xf32>
    return %4, %4 : tensor<2x3x6xf32>, tensor<2x3x6xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x2x3x6xf32>, %arg1: tensor<2x3x6xf32>, %arg2: tensor<i32>) -> tensor<4x2x3x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x3x6xf32>) -> tensor<1x2x3x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<4x2x3x6xf32>, tensor<1x2x3x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x3x6xf32>
    return %1 : tensor<4x2x3x6xf32>
  }
}
