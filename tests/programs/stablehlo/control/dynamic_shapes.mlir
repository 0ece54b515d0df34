// only: evaluated
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -0.0308094025 0.0897197723 0.370323181 0.469748497 -0.259214401 0.236193657 -0.391008377 -0.877511978 0.562298775 0.581446648 0.577969551 -0.0245132446 -0.338299751 -0.638156891 0.759757042 0.709600449 0.786046982 -0.500000954 0.430170059 0.494348526 0.808592796 -0.192538261 0.169837952 -0.488546371
// out: hash acc8031d4dcece8a
// out: 6
// out: -0.391008377 0.562298775 0.577969551 -0.338299751 0.759757042 0.786046982
// out: hash bb56c8cb8693de95
// out: 0 1 2
func.func @main(%x: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<i32>, tensor<2x3xf32>, tensor<9x8xf32>, tensor<3xi32>) {
  %s = stablehlo.constant dense<[6, 4]> : tensor<2xi32>
  %a = stablehlo.dynamic_reshape %x, %s : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<6x4xf32>
  %t = stablehlo.constant dense<[2, 4, 6]> : tensor<3xi32>
  %b = stablehlo.dynamic_broadcast_in_dim %x, %t, dims = [1, 2] : (tensor<4x6xf32>, tensor<3xi32>) -> tensor<2x4x6xf32>
  %c = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x6xf32>) -> tensor<i32>
  %l = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %u = stablehlo.constant dense<[3, 6]> : tensor<2xi32>
  %p = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %d = "stablehlo.real_dynamic_slice"(%x, %l, %u, %p) : (tensor<4x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  %v = stablehlo.constant dense<1.5> : tensor<f32>
  %q = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %e = stablehlo.dynamic_pad %x, %v, %q, %p, %l : (tensor<4x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<9x8xf32>
  %n = stablehlo.constant dense<[3]> : tensor<1xi32>
  %f = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<3xi32>
  return %a, %b, %c, %d, %e, %f : tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<i32>, tensor<2x3xf32>, tensor<9x8xf32>, tensor<3xi32>
}
