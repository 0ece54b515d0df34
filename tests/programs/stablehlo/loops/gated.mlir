// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: 0.55582422 -1.0543766 0.259917647 -0.54016608 -0.143984273 -0.396179855 1.03757322 -0.247989595 0.558351815 1.1711868 1.1958189 -0.650931954 1.10194206 -0.121794902 -0.623746693 -0.575346649 0.415947586 0.720472038 0.901677012 -0.353811026
// out: sums 3.5716524 11.5987706 0.0788210857 -13.6281624 10.1231718 -1.24057661 -5.9452101 -1.52697889 14.4882988 -2.47547775 1.88391018 0.146145769 15.727215 -3.18059439 0.456740756 6.20680156
// cost: 13 instructions, 1883770 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>, %arg1: tensor<9x20xf32>) -> (tensor<20xf32>, tensor<9x20xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:5 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %c, %iterArg_3 = %0, %iterArg_4 = %1) : tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>, tensor<9x20xf32>
    cond {
      %c_5 = stablehlo.constant dense<9> : tensor<i32>
      %3 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %4 = func.call @dynamic_index_in_dim(%iterArg_1, %iterArg_2) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %5:2 = func.call @closed_call(%iterArg_3, %3, %4) : (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>)
      %6 = func.call @dynamic_update_index_in_dim(%iterArg_4, %5#1, %iterArg_2) : (tensor<9x20xf32>, tensor<20xf32>, tensor<i32>) -> tensor<9x20xf32>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_2, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %7, %5#0, %6 : tensor<9x20xf32>, tensor<9x20xf32>, tensor<i32>, tensor<20xf32>, tensor<9x20xf32>
    }
    return %2#3, %2#4 : tensor<20xf32>, tensor<9x20xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<i32>) -> tensor<20xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 20] : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> tensor<1x20xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20xf32>) -> tensor<20xf32>
    return %1 : tensor<20xf32>
  }
  func.func private @closed_call(%arg0: tensor<20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>) {
    %0 = stablehlo.multiply %arg2, %arg0 : tensor<20xf32>
    %1 = stablehlo.add %0, %arg1 : tensor<20xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<20xf32>
    return %1, %3 : tensor<20xf32>, tensor<20xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<i32>) -> tensor<9x20xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x20xf32>, tensor<1x20xf32>, tensor<i32>, tensor<i32>) -> tensor<9x20xf32>
    return %1 : tensor<9x20xf32>
  }
}
