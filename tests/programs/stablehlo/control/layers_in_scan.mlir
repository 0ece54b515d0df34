// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 0.001953125 257
// out: sums 36.2828789 30.1287406 19.4935938 38.9471489 50.1894594 38.6179509 48.5793074 26.1199064 32.5303553 46.8312422 24.4118869 31.0743007 50.1996106 10.53429 18.948083 25.7687648
// cost: 25 instructions, 1223857 ticks
module {
  func.func public @main(%arg0: tensor<20x16xf32>, %arg1: tensor<4x16x16xf32>) -> (tensor<20x16xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %c, %iterArg_1 = %arg0) : tensor<4x16x16xf32>, tensor<i32>, tensor<20x16xf32>
    cond {
      %c_2 = stablehlo.constant dense<4> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_0) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %2 = func.call @closed_call(%iterArg_1, %1) : (tensor<20x16xf32>, tensor<16x16xf32>) -> tensor<20x16xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %3, %2 : tensor<4x16x16xf32>, tensor<i32>, tensor<20x16xf32>
    }
    return %0#2 : tensor<20x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<20x16xf32>, %arg1: tensor<16x16xf32>) -> tensor<20x16xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<20x16xf32>, tensor<16x16xf32>) -> tensor<20x16xf32>
    %1 = call @relu(%0) : (tensor<20x16xf32>) -> tensor<20x16xf32>
    %2 = stablehlo.add %1, %arg0 : tensor<20x16xf32>
    return %2 : tensor<20x16xf32>
  }
  func.func private @relu(%arg0: tensor<20x16xf32>) -> tensor<20x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<20x16xf32>
    return %1 : tensor<20x16xf32>
  }
}
