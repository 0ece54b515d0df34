// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: 0.566538632 -0.0247566104 -0.134117901 0.174963713 -0.847433865 -1.88637555 0.714367032 -0.517430484 0.288885653 1.2027992 0.219600379 -0.0407168865 0.899430811 -0.721071303 -1.89883637 -0.52734071 0.472360879 1.08509684 -0.139245152 -1.53982198
// cost: 19 instructions, 1234528 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>, %arg1: tensor<9x20xf32>) -> (tensor<20xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %c, %iterArg_2 = %0) : tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>
    cond {
      %c_3 = stablehlo.constant dense<9> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %3 = func.call @dynamic_index_in_dim(%iterArg_0, %iterArg_1) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %4 = func.call @closed_call(%iterArg_2, %2, %3) : (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_1, %c_3 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %5, %4 : tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>
    }
    return %1#3 : tensor<20xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<i32>) -> tensor<20xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 20] : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> tensor<1x20xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20xf32>) -> tensor<20xf32>
    return %1 : tensor<20xf32>
  }
  func.func private @closed_call(%arg0: tensor<20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<20xf32>) -> tensor<20xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %1 = stablehlo.compare GT, %arg1, %0, FLOAT : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xi1>
    %2 = stablehlo.multiply %arg2, %arg0 : tensor<20xf32>
    %3 = call @_where(%1, %2, %arg0) : (tensor<20xi1>, tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
    %4 = stablehlo.add %3, %arg1 : tensor<20xf32>
    return %4 : tensor<20xf32>
  }
  func.func private @_where(%arg0: tensor<20xi1>, %arg1: tensor<20xf32>, %arg2: tensor<20xf32>) -> tensor<20xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<20xi1>, tensor<20xf32>
    return %0 : tensor<20xf32>
  }
}
