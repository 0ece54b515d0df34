// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 0
// out: -0.0308094025 0.0897197723 0.370323181 0.469748497 -0.259214401 0.236193657 -0.391008377 -0.877511978 0.562298775
// cost: 33 instructions, 1852478 ticks
module {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<i32>) -> (tensor<9xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg1, %iterArg_1 = %arg0) : tensor<i32>, tensor<i32>, tensor<9xf32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %iterArg_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg, %c_2 : tensor<i32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9xf32>
      %3 = stablehlo.multiply %iterArg_1, %2 : tensor<9xf32>
      stablehlo.return %1, %iterArg_0, %3 : tensor<i32>, tensor<i32>, tensor<9xf32>
    }
    return %0#2 : tensor<9xf32>
  }
}
