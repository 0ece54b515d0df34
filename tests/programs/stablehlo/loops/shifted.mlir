// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -0.0308094025 0.0897197723 0.370323181 0.469748497 -0.259214401 0.236193657 -0.391008377 -0.877511978 0.562298775 0.581446648 0.577969551 -0.0245132446 -0.338299751 -0.638156891 0.759757042 0.709600449 0.786046982 -0.500000954 0.430170059 0.494348526
// out: sums 0.943326525 5.24371691 -1.32527598 -0.955495289 3.77389164 -0.393682015 2.33770039 0.00858277769 5.67981347 -6.17540846 -0.481057524 -2.96964251 4.90000804 0.0527449795 1.98363459 3.9197583
// cost: 12 instructions, 1131142 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>, %arg1: tensor<20xf32>) -> (tensor<20xf32>, tensor<9x20xf32>) {
    %0 = stablehlo.slice %arg0 [0:1, 0:20] : (tensor<9x20xf32>) -> tensor<1x20xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20xf32>) -> tensor<20xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<20xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:5 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %c, %iterArg_3 = %3, %iterArg_4 = %4) : tensor<9x20xf32>, tensor<20xf32>, tensor<i32>, tensor<20xf32>, tensor<9x20xf32>
    cond {
      %c_5 = stablehlo.constant dense<9> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %c_5 = stablehlo.constant dense<9> : tensor<i32>
      %6 = stablehlo.subtract %c_5, %iterArg_2 : tensor<i32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.subtract %6, %c_6 : tensor<i32>
      %8 = func.call @dynamic_index_in_dim(%iterArg, %7) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %9:2 = func.call @closed_call(%iterArg_1, %iterArg_3, %8) : (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>)
      %10 = func.call @dynamic_update_index_in_dim(%iterArg_4, %9#1, %7) : (tensor<9x20xf32>, tensor<20xf32>, tensor<i32>) -> tensor<9x20xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %iterArg_2, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %11, %9#0, %10 : tensor<9x20xf32>, tensor<20xf32>, tensor<i32>, tensor<20xf32>, tensor<9x20xf32>
    }
    return %5#3, %5#4 : tensor<20xf32>, tensor<9x20xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<i32>) -> tensor<20xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 20] : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> tensor<1x20xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20xf32>) -> tensor<20xf32>
    return %1 : tensor<20xf32>
  }
  func.func private @closed_call(%arg0: tensor<20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<20xf32>) -> (tensor<20xf32>, tensor<20xf32>) {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<20xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<20xf32>
    return %arg2, %1 : tensor<20xf32>, tensor<20xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<i32>) -> tensor<9x20xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x20xf32>, tensor<1x20xf32>, tensor<i32>, tensor<i32>) -> tensor<9x20xf32>
    return %1 : tensor<9x20xf32>
  }
}
