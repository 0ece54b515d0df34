// tolerance: 0.001
// in: draw 6 -1 9.5367431640625e-07 2097153
// in: draw 7 -1 9.5367431640625e-07 2097153
// out: sums -3.0884843 1.87254812 -1.61468254 -2.08661868 -3.48549372 0.14718905 1.56516645 0 -1.28878418 0 -2.93703672 -1.36705717 1.28414588 -0.100838489 1.87219262 -1.10629593
// out: sums 4.08338585 2.63199194 -12.5122631 -4.5193676 1.67925602 -11.0952165 9.94699669 -6.72892845 3.52654984 -4.98228236 -0.399573097 -3.75092811 4.90297619 0.945075032 -3.15912245 -5.90025134
// cost: 58 instructions, 6786160 ticks
module {
  func.func public @main(%arg0: tensor<18x3x16xf32>, %arg1: tensor<16x16xf32>) -> (tensor<3x16xf32>, tensor<18x16xf32>) {
    %0 = stablehlo.slice %arg0 [0:1, 0:3, 0:16] : (tensor<18x3x16xf32>) -> tensor<1x3x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x16xf32>) -> tensor<3x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<18x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3:5 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %c, %iterArg_2 = %1, %iterArg_3 = %2) : tensor<18x3x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<3x16xf32>, tensor<18x16xf32>
    cond {
      %c_4 = stablehlo.constant dense<18> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<18x3x16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %5:2 = func.call @closed_call(%iterArg_0, %iterArg_2, %4) : (tensor<16x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>) -> (tensor<3x16xf32>, tensor<16xf32>)
      %6 = func.call @dynamic_update_index_in_dim(%iterArg_3, %5#1, %iterArg_1) : (tensor<18x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<18x16xf32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %7, %5#0, %6 : tensor<18x3x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<3x16xf32>, tensor<18x16xf32>
    }
    return %3#3, %3#4 : tensor<3x16xf32>, tensor<18x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<18x3x16xf32>, %arg1: tensor<i32>) -> tensor<3x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 3, 16] : (tensor<18x3x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x16xf32>) -> tensor<3x16xf32>
    return %1 : tensor<3x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x16xf32>, %arg1: tensor<3x16xf32>, %arg2: tensor<3x16xf32>) -> (tensor<3x16xf32>, tensor<16xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16x16xf32>) -> tensor<3x16xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<3x16xf32>
    %2 = stablehlo.tanh %1 : tensor<3x16xf32>
    %3 = stablehlo.slice %2 [0:1, 0:16] : (tensor<3x16xf32>) -> tensor<1x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x16xf32>) -> tensor<16xf32>
    return %2, %4 : tensor<3x16xf32>, tensor<16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<18x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<i32>) -> tensor<18x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<18x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<18x16xf32>
    return %1 : tensor<18x16xf32>
  }
}
